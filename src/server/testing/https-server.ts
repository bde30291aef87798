import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** A key for tests alone: it signs for `localhost`, and nobody trusts it who is not given this certificate. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfKkF/wMeLAoc1FVZ
Z2c9dKoMHUgsFGILNgIAn0hWDtKhRANCAAQHN7sxYMZoBp4AwHzNLaScD4M8Tvv6
59wP57jKIhVBBxiazgxc8CmbCMqN8J/DjLsUHXIlQmu4krDVgyLeS7rA
-----END PRIVATE KEY-----`;
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBqzCCAVKgAwIBAgIUQjx/SAv5rpGs0E5ACmtcUcsvJWIwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcGljdHVyZXMudGVzdDAgFw0yNjExMjUxMTA0MjlaGA8yMTI2
MTEwMTExMDQyOVowGDEWMBQGA1UEAwwNcGljdHVyZXMudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABAc3uzFgxmgGngDAfM0tpJwPgzxO+/rn3A/nuMoiFUEH
GJrODFzwKZsIyo3wn8OMuxQdciVCa7iSsNWDIt5LusCjeDB2MB0GA1UdDgQWBBTG
E3BJr2/YipGE905urtkJCm+CAjAfBgNVHSMEGDAWgBTGE3BJr2/YipGE905urtkJ
Cm+CAjAPBgNVHRMBAf8EBTADAQH/MCMGA1UdEQQcMBqCCWxvY2FsaG9zdIINcGlj
dHVyZXMudGVzdDAKBggqhkjOPQQDAgNHADBEAiBpY8mg+VZJUtzKek0Kl+UAyvK1
22OLeRog1LID1FcdYgIgUT+5i8FbFPO2yq6i1Bikd6+FdVc+aqsA5v+4hY/oNn8=
-----END CERTIFICATE-----`;

/** Serves over HTTPS on this machine until the end of the file. Returns its port. */
export async function serveHttps(listener: RequestListener): Promise<number> {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  afterAll(() => server.close());
  return (server.address() as AddressInfo).port;
}
