// Signing in with an operator's token.

import {h, replace} from './dom.js';
import {signIn} from './rpc.js';
import {page, problem, whileDisabled} from './ui.js';

export const title = 'Sign in';

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
  replace(main, h('div', {class: 'sign-in'},
    h('p', {class: 'sign-in-mark', 'aria-hidden': 'true'}, 'Gatebook'),
    page('Sign in', reason && h('p', {class: 'sign-in-reason', role: 'status'}, reason), form)));
  token.focus();
}
