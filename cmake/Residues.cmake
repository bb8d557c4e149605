# Embeds the tables of residues (data/residues) as strings in the library;
# src/prep/receptor/residues/templates.c reads them.
foreach(table IN ITEMS templates atoms names atom-names additives)
  string(REPLACE "-" "_" variable "bt_residues_${table}")
  add_custom_command(OUTPUT ${TABLES}/${variable}.c
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/data/residues -DENTRY=${table}.csv -DNAME=${variable}
            -DOUT=${TABLES}/${variable}.c -P ${PROJECT_SOURCE_DIR}/cmake/EmbedSource.cmake
    DEPENDS data/residues/${table}.csv cmake/EmbedSource.cmake VERBATIM)
  target_sources(berth PRIVATE ${TABLES}/${variable}.c)
endforeach()
