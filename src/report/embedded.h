/* embedded.h - files embedded in the library: the templates of a page, and its viewer. */
#ifndef BERTH_REPORT_EMBEDDED_H
#define BERTH_REPORT_EMBEDDED_H

typedef struct bt_embedded_file {
  const char *name;
  const char *text; /* NUL-terminated */
} bt_embedded_file;

/* Ends with a name of NULL. */
extern const bt_embedded_file bt_embedded_files[];

#ifdef __ELF__
#define BT_EMBED_BEGIN ".pushsection .rodata\n"
#define BT_EMBED_END ".popsection\n"
#else /* Windows: its assembler remembers no sections */
#define BT_EMBED_BEGIN ".section .rdata,\"dr\"\n"
#define BT_EMBED_END ".text\n"
#endif

/* The assembler reads the file: a megabyte as a string literal takes a compiler long. */
#define BT_EMBED(name, path)                                                                      \
  __asm__(BT_EMBED_BEGIN ".global bt_embedded_" #name "\nbt_embedded_" #name ":\n.incbin \"" path \
                         "\"\n"                                                                   \
                         ".byte 0\n" BT_EMBED_END);                                               \
  extern const char bt_embedded_##name[];

/* The text of an embedded file; NULL: there is none. */
const char *bt_embedded(const char *name);

#endif
