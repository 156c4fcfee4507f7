import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';

/** In place of Mailpit: takes mails on 1025, and shows the texts of all at 8025. */
const emails: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream: NodeJS.ReadableStream, _: unknown, done: () => void) {
    let text = '';
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    stream.on('end', () => {
      emails.push(text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='));
      done();
    });
  },
});
smtp.listen(1025, '0.0.0.0');
createServer((_, response) => response.end(JSON.stringify(emails))).listen(8025);
process.once('SIGINT', () => process.exit());
