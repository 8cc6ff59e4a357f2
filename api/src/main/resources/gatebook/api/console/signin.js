// Signing in with an operator's token, or at an authorization server.

import {h, replace} from './dom.js';
import {plain} from './format.js';
import {loadIssuers, signIn} from './rpc.js';
import {page, problem, whileDisabled} from './ui.js';

export const title = 'Sign in';

const BEFORE = 'sign-on.before';

/** What to do after a sign-on was refused, by the reason that the node gives. */
const REFUSALS = {
  'attempt': 'This sign-in took too long, was used before or began in another browser. Start it again.',
  'denied': 'The authorization server did not sign you in. Start again, or ask its admin.',
  'unavailable': 'The authorization server does not answer as it should. Try again in a minute, or sign in with a token.',
  'no-role': 'You are known there, but none of your groups has a role here. Ask an admin of Gatebook for one.',
  'not-recorded': 'Nothing can be recorded now, so nobody is signed in. Try again in a minute.',
  'refused': 'What the authorization server said about you was not accepted. Ask an admin: the node’s log has the reason.',
};

/** The sentence for a sign-on that was refused. */
export function refusalSentence(reason) {
  return Object.hasOwn(REFUSALS, reason) ? REFUSALS[reason] : REFUSALS.refused;
}

/** The address that the browser showed before it left for an authorization server, once. */
export function takeAddressBefore() {
  const before = sessionStorage.getItem(BEFORE);
  sessionStorage.removeItem(BEFORE);
  return before ?? '/';
}

/** Shows the form. `reason` says why it is shown, when there is a reason besides a missing session. */
export function show(main, {reason, onSignedIn}) {
  const token = h('input', {
    id: 'token', type: 'password', autocomplete: 'current-password', required: true,
    spellcheck: 'false', autocapitalize: 'off', 'aria-describedby': 'token-help',
  });
  const button = h('button', {type: 'submit', class: 'primary'}, 'Sign in');
  const answer = h('div', {'aria-live': 'polite'});
  const submit = async () => {
    replace(answer);
    try {
      await signIn(token.value.trim());
      token.value = '';
      onSignedIn();
    } catch (error) {
      replace(answer, [401, 429].includes(error.code)
        ? h('p', {class: 'problem-sentence', role: 'alert'},
          'No operator has this token. See whether it is whole; one that was rotated no longer works.')
        : problem(error));
      token.select();
      token.focus();
    }
  };
  const form = h('form', {
    id: 'sign-in',
    onsubmit: event => {
      event.preventDefault();
      whileDisabled(button, submit);
    },
  },
  h('label', {htmlFor: 'token'}, 'Operator’s token'),
  h('div', {class: 'sign-in-row'}, token, button),
  answer,
  h('p', {class: 'muted', id: 'token-help'},
    'It is in the file ', h('code', null, 'operator.token'), ' of the data directory, or an admin gave it to you. ',
    'On the node’s machine, ', h('code', null, './gatebook console'), ' opens this page signed in.'));
  const issuers = h('div', {class: 'sign-in-issuers'});
  replace(main, h('div', {class: 'sign-in'},
    h('p', {class: 'sign-in-mark', 'aria-hidden': 'true'}, 'Gatebook'),
    page('Sign in', reason && h('p', {class: 'sign-in-reason', role: 'status'}, reason), issuers, form)));
  token.focus();
  showIssuers(issuers);
}

/** Without them, an operator signs in with a token. */
async function showIssuers(element) {
  const issuers = await loadIssuers().catch(() => []);
  if (issuers.length === 0) {
    return;
  }
  replace(element,
    issuers.map(({name, path}) => h('a', {
      class: 'button', href: path,
      onclick: () => sessionStorage.setItem(BEFORE, location.pathname + location.search),
    }, `Sign in with ${plain(name)}`)),
    h('p', {class: 'muted'}, 'or with a token:'));
}
