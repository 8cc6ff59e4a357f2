// An authorization server: OpenID Connect, and OAuth 2 with access tokens that are JWTs.
// Usage: node server.mjs
// Prints its issuer. For each line "rotate" it takes another key and prints "rotated". It serves
// until its input ends.
// A user signs in with a name alone: in the page, or by login_hint without one. The page of
// login_hint=refuse refuses the client as a user would.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import Provider, { interactionPolicy } from 'oidc-provider';

console.info = console.warn; // the provider's notices are not for standard output

/** The groups of each user, and of the client that acts for itself. */
const groups = {
  alice: ['gatebook-admins', 'everyone'],
  bob: ['gatebook-viewers', 'everyone'],
  carol: ['everyone'],
  service: ['gatebook-viewers'],
};

const CONSOLE = '/console/sign-on/company/callback';
// the host and the path of an address are compared, but not the port: RFC 8252, section 7.3
const native = { application_type: 'native', response_types: ['code'], grant_types: ['authorization_code'] };
const clients = [
  {
    ...native,
    client_id: 'console',
    client_secret: 'secret-of-the-console',
    redirect_uris: [`http://127.0.0.1${CONSOLE}`, `http://localhost${CONSOLE}`],
  },
  {
    ...native,
    client_id: 'agent',
    redirect_uris: ['http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
  },
  {
    client_id: 'service',
    client_secret: 'secret-of-the-service',
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
  },
];

const key = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
};

const policy = interactionPolicy.base();
policy.remove('consent'); // who signs in consents
const cookieKeys = [randomUUID()];

const provider = (issuer) =>
  new Provider(issuer, {
    clients,
    jwks: { keys: [key()] },
    cookies: { keys: cookieKeys },
    claims: { openid: ['sub', 'groups', 'name'] },
    conformIdTokenClaims: false, // the ID token has the groups
    pkce: { required: () => true },
    findAccount: (_, id) =>
      groups[id] && { accountId: id, claims: () => ({ sub: id, name: `${id} of the company`, groups: groups[id] }) },
    extraTokenClaims: (_, token) => ({ groups: groups[token.accountId ?? token.clientId] }),
    interactions: { policy, url: (_, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope('openid');
      [oidc.params.resource ?? []].flat().forEach((resource) => grant.addResourceScope(resource, 'openid'));
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          audience: resource,
          scope: 'openid',
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });

const PAGE = `<!doctype html><html lang="en"><title>Sign in</title><link rel="icon" href="data:,">
<form method="post"><label>Name <input id="name" name="name" autofocus></label><button>Sign in</button></form>`;

/** The page that asks for a name, unless the client has given it. */
const interact = async (current, request, response) => {
  const { params } = await current.interactionDetails(request, response);
  let name = params.login_hint;
  if (request.method === 'POST') {
    let form = '';
    for await (const part of request) {
      form += part;
    }
    name = new URLSearchParams(form).get('name');
  }
  if (!name) {
    response.setHeader('Content-Type', 'text/html').end(PAGE);
  } else {
    await current.interactionFinished(
      request,
      response,
      name === 'refuse'
        ? { error: 'access_denied', error_description: '<b>the user said no</b>' }
        : { login: { accountId: name } },
    );
  }
};

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  let current = provider(issuer);
  server.on('request', (request, response) => {
    if (request.url.startsWith('/interaction/')) {
      interact(current, request, response).catch((error) => response.writeHead(500).end(String(error)));
    } else {
      current.callback()(request, response);
    }
  });
  // sessions and codes are kept outside of the provider, so another one knows them
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      if (line === 'rotate') {
        current = provider(issuer);
        console.log('rotated');
      }
    })
    .on('close', () => process.exit());
  console.log(issuer);
});
