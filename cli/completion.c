/* completion.c - `berth completion`: completion scripts for shells. They query the program itself (--help=words), so
 * they match the options of any version. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/options.h"
#include "common/report.h"

static const char bash[] =
    "# bash completion of berth: source it, or put it into bash-completion's folder as `berth`.\n"
    "_berth() {\n"
    "  local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "  local words what\n"
    "  COMPREPLY=()\n"
    "  if ((COMP_CWORD == 1)); then\n"
    "    COMPREPLY=($(compgen -W \"$(\"$program\" --help=words 2>/dev/null | cut -f1)\" -- \"$current\"))\n"
    "    return\n"
    "  fi\n"
    "  words=$(\"$program\" \"${COMP_WORDS[1]}\" --help=words 2>/dev/null)\n"
    "  what=$(awk -F'\\t' -v name=\"$previous\" '$1 == name { print $2 }' <<<\"$words\")\n"
    "  if [[ $what == *'|'* ]]; then\n"
    "    COMPREPLY=($(compgen -W \"${what//|/ }\" -- \"$current\"))\n"
    "  elif [[ $current == -* ]]; then\n"
    "    COMPREPLY=($(compgen -W \"$(cut -f1 <<<\"$words\")\" -- \"$current\"))\n"
    "  fi\n"
    "}\n"
    "complete -o bashdefault -o default -F _berth berth\n";

static const char zsh[] =
    "#compdef berth\n"
    "# zsh completion of berth: put it into a folder of $fpath as `_berth`.\n"
    "local -a lines\n"
    "if ((CURRENT == 2)); then\n"
    "  lines=(${(f)\"$($words[1] --help=words 2>/dev/null | awk -F'\\t' '{ print $1 \":\" $3 }')\"})\n"
    "  _describe command lines\n"
    "  return\n"
    "fi\n"
    "local table=\"$($words[1] $words[2] --help=words 2>/dev/null)\"\n"
    "local what=\"$(print -r -- $table | awk -F'\\t' -v name=$words[CURRENT-1] '$1 == name { print $2 }')\"\n"
    "if [[ $what == *'|'* ]]; then\n"
    "  compadd -- ${(s:|:)what}\n"
    "elif [[ $PREFIX == -* ]]; then\n"
    "  lines=(${(f)\"$(print -r -- $table | awk -F'\\t' '{ gsub(\":\", \"\\\\:\", $3); print $1 \":\" $3 }')\"})\n"
    "  _describe -o option lines\n"
    "else\n"
    "  _files\n"
    "fi\n";

static const char fish[] =
    "# fish completion of berth: put it into ~/.config/fish/completions as berth.fish.\n"
    "complete -c berth -f -n __fish_use_subcommand \\\n"
    "  -a \"(berth --help=words 2>/dev/null | string replace -r '\\t.*\\t' '\\t')\"\n"
    "complete -c berth -n \"not __fish_use_subcommand; and string match -q -- '-*' (commandline -ct)\" \\\n"
    "  -a \"(berth (commandline -opc)[2] --help=words 2>/dev/null | string replace -r '\\t.*\\t' '\\t')\"\n";

int cmd_completion(int argc, char **argv) {
  static const char usage[] = "bash|zsh|fish";
  cli_list shells = {0};
  cli_spec spec = {.program = "berth completion",
                   .summary = "command-line completion for bash, zsh and fish",
                   .usage = usage,
                   .opt_details = "Prints a script for the completion of commands, options and their values.",
                   .opt_examples = "  source <(berth completion bash)\n"
                                   "  berth completion fish > ~/.config/fish/completions/berth.fish",
                   .opt_arguments = &shells};
  int exit_code;
  if (cli_parse(&spec, argc, argv, &exit_code)) {
    const char *shell = shells.count == 1 ? shells.items[0] : "";
    const char *script = strcmp(shell, "bash") == 0   ? bash
                         : strcmp(shell, "zsh") == 0  ? zsh
                         : strcmp(shell, "fish") == 0 ? fish
                                                      : NULL;
    if (script == NULL)
      cli_message(spec.program, "unknown or missing shell; use one of %s", usage);
    else
      exit_code = fputs(script, stdout) < 0 ? CLI_EXIT_BAD : CLI_EXIT_OK;
  }
  cli_list_free(&shells);
  return exit_code;
}
