import { generateKeyPairSync, sign } from 'node:crypto';

/** One element of DER (X.690): its tag, its length, its content. */
function der(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  // DER takes the shortest form alone.
  const long = body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff];
  const length = body.length < 128 ? [body.length] : long;
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...content: Uint8Array[]) => der(0x30, ...content);
const bytes = (hex: string) => Buffer.from(hex, 'hex');
const commonName = bytes('0603550403');
const ecdsaWithSha256 = sequence(bytes('06082a8648ce3d040302'));
const subjectAltName = bytes('0603551d11');

/** A certificate for a name that vouches for itself, good from 2020 to 2049, and its key; both in PEM. */
export function selfSignedCertificate(name: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));
  const names = der(0x04, sequence(der(0x82, Buffer.from(name))));
  const facts = sequence(
    bytes('a003020102'),
    bytes('020101'),
    ecdsaWithSha256,
    subject,
    sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('490101000000Z'))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAltName, names))),
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', facts, privateKey));
  const text = sequence(facts, ecdsaWithSha256, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
