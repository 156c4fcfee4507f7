import type { Command } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { print } from './terminal.ts';

/** Completes the names of commands and of their options, from the table that runs them. */
export const completionOf = (commands: Command[], optionsOf: (command: Command) => string[]): Command => ({
  name: 'completion',
  args: 'bash|zsh|fish',
  summary: 'print completions for a shell',
  examples: ['source <(atelier completion bash)', 'atelier completion fish > ~/.config/fish/completions/atelier.fish'],
  run: async ({ args: [shell] }) => {
    const rows = commands.map((command) => ({ ...command, words: optionsOf(command).map((name) => `--${name}`) }));
    const names = rows.map(({ name }) => name).join(' ');
    if (shell === 'fish') {
      for (const { name, summary, words } of rows) {
        print(`complete -c atelier -f -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", '')}'`);
        for (const word of words)
          print(`complete -c atelier -n '__fish_seen_subcommand_from ${name}' -l ${word.slice(2)}`);
      }
    } else if (shell === 'bash' || shell === 'zsh') {
      if (shell === 'zsh') print('autoload -U +X bashcompinit && bashcompinit');
      const cases = rows.map(({ name, words }) => `    ${name}) words="${words.join(' ')}";;`).join('\n');
      print(`_atelier() {
  local words="${names}"
  if [ "$COMP_CWORD" -gt 1 ]; then case "\${COMP_WORDS[1]}" in
${cases}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _atelier atelier`);
    } else throw new UsageError('Name a shell: bash, zsh or fish.');
  },
});
