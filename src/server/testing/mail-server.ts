import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface MailServer {
  url: string;
  /** What was accepted, in order: the envelope's addresses and the parsed mail. */
  received: { to: string[]; mail: Email }[];
  /** Set to refuse: the SMTP code and text of the answer. */
  refusal: { code: number; text: string } | undefined;
  /** Set to take mails and have the answer lost. */
  losesAnswers: boolean;
  close(): Promise<void>;
}

/** A real mail server on a free port of `host`. Its URL begins with `account`, such as `user:password@`. */
export async function startMailServer(options: SMTPServerOptions = {}, account = '', host = '127.0.0.1'): Promise<MailServer> {
  const state: Pick<MailServer, 'received' | 'refusal' | 'losesAnswers'> = { received: [], refusal: undefined, losesAnswers: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      const { refusal } = state;
      done(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : undefined);
    },
    onData(stream, session, done) {
      buffer(stream)
        .then((bytes) => PostalMime.parse(bytes))
        .then((mail) => {
          state.received.push({ to: session.envelope.rcptTo.map(({ address }) => address), mail });
          done(state.losesAnswers ? Object.assign(new Error('lost'), { responseCode: 451 }) : undefined);
        }, done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(state, {
    url: `smtp://${account}${host}:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}
