import { Argument, type Command, InvalidArgumentError } from 'commander';
import { readId } from '../server/lib/id.ts';
import { simulateEvent, simulated } from './simulate-event.ts';
import { verifyPrices } from './verify-prices.ts';

export function providerCommands(program: Command): void {
  const provider = program.command('provider').description('the payment provider');
  provider
    .command('verify-prices')
    .description('check the price of every plan at the provider, as the operator of the running service')
    .action(async (_, command: Command) => verifyPrices(command.optsWithGlobals()));
  provider
    .command('simulate')
    .description('send a signed event about the subscription of an account (only sandbox and test mode)')
    .addArgument(new Argument('<event>', 'what happens').choices([...simulated.keys()]))
    .requiredOption('--account <id>', 'an account that has started a checkout, such as acct_01…', readAccount)
    .requiredOption('--plan <code>', 'the plan of the subscription')
    .action(async (event: string, _, command: Command) => simulateEvent(event, command.optsWithGlobals()));
}

function readAccount(id: string): string {
  const uuid = readId('acct', id);
  if (uuid === null) throw new InvalidArgumentError('It is not the id of an account.');
  return uuid;
}
