import type { Command } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { print } from './terminal.ts';

/** Words that may follow a command: its subcommands, or a fixed set of arguments. */
const firstWordsOf = ({ args = '', commands }: Command): string =>
  [...(commands?.() ?? []).map(({ name }) => name.split(' ')[1]), ...(args.includes('|') ? args.split('|') : [])].join(' ');

/** Made from the table that runs the commands. */
export const completionOf = (commands: Command[], optionsOf: (command: Command) => string[]): Command => ({
  name: 'completion',
  args: 'bash|zsh|fish',
  summary: 'print completions for a shell',
  examples: ['source <(atelier completion bash)', 'atelier completion fish > ~/.config/fish/completions/atelier.fish'],
  run: async ({ args: [shell] }) => {
    const rows = commands.map((command) => ({
      ...command,
      words: optionsOf(command).map((name) => `--${name}`),
      first: firstWordsOf(command),
    }));
    const names = rows.map(({ name }) => name).join(' ');
    if (shell === 'fish') {
      for (const { name, summary, words, first } of rows) {
        print(`complete -c atelier -f -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", '')}'`);
        if (first) print(`complete -c atelier -f -n '__fish_seen_subcommand_from ${name}; and test (count (commandline -opc)) -eq 2' -a '${first}'`);
        for (const word of words)
          print(`complete -c atelier -n '__fish_seen_subcommand_from ${name}' -l ${word.slice(2)}`);
      }
    } else if (shell === 'bash' || shell === 'zsh') {
      if (shell === 'zsh') print('autoload -U +X bashcompinit && bashcompinit');
      const cases = rows.map(({ name, words, first }) => `    ${name}) words="${words.join(' ')}"; first="${first}";;`).join('\n');
      print(`_atelier() {
  local words="${names}" first=""
  if [ "$COMP_CWORD" -gt 1 ]; then case "\${COMP_WORDS[1]}" in
${cases}
  esac; fi
  if [ "$COMP_CWORD" -eq 2 ]; then words="$words $first"; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _atelier atelier`);
    } else throw new UsageError('Name a shell: bash, zsh or fish.');
  },
});
