/** TCP ports of this machine. */
import { createServer } from 'node:net';
import { UserError } from './user-error.ts';

const LOOPBACK = '127.0.0.1';

/** Listens for an instant; the port it got. 0 lets the kernel choose. */
function tryListen(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

/** A port on loopback that is free now; the kernel gives it to nobody else for a while, but does not promise it. */
export const findFreePort = (): Promise<number> => tryListen(0, LOOPBACK);

/** Throws a UserError when `port` cannot be listened on, saying why and what to do. */
export async function requireFreePort(port: number, host = LOOPBACK): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserError(`${port} is not a port: it must be a whole number from 1 to 65535.`);
  }
  try {
    await tryListen(port, host);
  } catch (error) {
    throw explainListenError(error, port, host);
  }
}

/** An error of listen() as one that the user can mend; anything else comes back as it was. Also for servers of our own. */
export function explainListenError(error: unknown, port: number, host = LOOPBACK): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'EADDRINUSE':
      return new UserError(
        `Port ${port} on ${host} is in use by another program, so nothing of ours can listen there. ` +
          `Choose another with --port, or end that program (ss -ltnp "sport = :${port}" names it).`,
      );
    case 'EACCES':
      return new UserError(
        `Port ${port} may not be used without privileges. Choose one above 1023 with --port.`,
      );
    case 'EADDRNOTAVAIL':
      return new UserError(`${host} is not an address of this machine. Choose another with --host.`);
    default:
      return error;
  }
}
