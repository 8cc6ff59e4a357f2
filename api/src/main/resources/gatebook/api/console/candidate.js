// The button that puts the rules in force into the field for a candidate.

import {h, replace} from './dom.js';
import {call} from './rpc.js';
import {announce, busy, problem} from './ui.js';

/** Failures are shown in {@code result}. */
export function beginWithRulesInForce(text, result, signal) {
  return h('button', {
    type: 'button',
    onclick: async () => {
      try {
        const rules = await busy(call('rules.show', {}, {signal}));
        text.value = rules.text ?? '';
        announce('The text in force is in the field, without its secrets.');
      } catch (error) {
        replace(result, problem(error));
      }
    },
  }, 'Begin with the rules in force');
}
