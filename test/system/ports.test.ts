import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { explainListenError, findFreePort, requireFreePort } from '../../src/system/ports.ts';
import { UserError } from '../../src/system/user-error.ts';

it('a free port is found, and is free', async () => {
  const port = await findFreePort();
  await requireFreePort(port);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await expect(requireFreePort(port)).rejects.toThrow(
    new UserError(
      `Port ${port} on 127.0.0.1 is in use by another program, so nothing of ours can listen there. ` +
        `Choose another with --port, or end that program (ss -ltnp "sport = :${port}" names it).`,
    ),
  );
  server.close();
});

it.each([0, -1, 65_536, 1.5, Number.NaN])('%d is no port', async (port) => {
  await expect(requireFreePort(port)).rejects.toThrow(UserError);
});

it('an address that is not ours', async () => {
  await expect(requireFreePort(await findFreePort(), '192.0.2.1')).rejects.toThrow(
    '192.0.2.1 is not an address of this machine. Choose another with --host.',
  );
});

it('a port that needs privileges; any other error stays what it was', () => {
  const denied = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  expect(explainListenError(denied, 80)).toBeInstanceOf(UserError);
  const other = new Error('something else');
  expect(explainListenError(other, 80)).toBe(other);
});
