import { isLoopback } from '../../base/network/loopback.ts';

interface Address {
  readonly url: string;
  /** `github.com`, with its port unless that is the default; '' for a file. */
  readonly host: string;
  /** The end of its path: `owner/repo`, or a single name. */
  readonly name: string;
}

/** An unsupported address. The message says why and what is supported. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

const shortForm = /^[A-Za-z0-9][A-Za-z0-9-]*\/(?!\.{1,2}$)[A-Za-z0-9._-]+$/;
const part = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

/** Reads `owner/repo` on github.com, or an address. Throws AddressError, which never contains a credential. */
export function readAddress(text: string): Address {
  if (shortForm.test(text))
    return {
      url: `https://github.com/${text.replace(/\.git$/, '')}.git`,
      host: 'github.com',
      name: text.replace(/\.git$/, ''),
    };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'ssh:' || url?.protocol === 'git+ssh:' || /^[\w.-]+@[\w.-]+:/.test(text))
    throw new AddressError(
      "must not be an SSH URL, because runs do not use the server's SSH keys; use the https URL and a token under git.hosts",
    );
  if (url === undefined || !['https:', 'http:', 'file:'].includes(url.protocol))
    throw new AddressError('must be owner/repo or a URL that starts with https://, http:// or file:///');
  if (url.username !== '' || url.password !== '')
    throw new AddressError(
      'must not contain a credential, which every run could read (its value is not shown); remove it, and name a variable with a token under git.hosts',
    );
  if (url.search !== '' || url.hash !== '') throw new AddressError('must not contain "?" or "#"; remove that part');
  if (url.protocol === 'file:' && url.host !== '')
    throw new AddressError('must not name another machine; use file:/// and a folder on this one');
  const pieces = url.pathname.split('/').filter(piece => piece !== '');
  const last = pieces.pop()?.replace(/\.git$/, '') ?? '';
  const named = [...pieces, last].filter(piece => piece !== '').slice(-2);
  if (named.length === 0 || !named.every(piece => part.test(piece)))
    throw new AddressError('must end with the name of a repository, such as /octo-org/shop.git');
  return { url: url.href, host: url.host, name: named.join('/') };
}

/** Whether a token may be sent to an address: only if the transport is private. */
export function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
