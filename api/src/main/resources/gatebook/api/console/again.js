// A call decided again: by the rules of then and by those of now, with what differs marked.

import {h, replace} from './dom.js';
import {cut, plain, shortText, time} from './format.js';
import {call as ask} from './rpc.js';
import {GATE_NAMES, basis, verdict} from './rulings.js';
import {announce, busy, problem, whileDisabled} from './ui.js';

/** The button, and below it the decisions once it was pressed. */
export function decideAgain(callId, recorded, signal) {
  const place = h('div', {class: 'again', 'aria-live': 'polite'});
  const button = h('button', {
    type: 'button', id: 'decide-again', 'data-key': 'decide-again',
    onclick: () => whileDisabled(button, async () => {
      try {
        const answer = await busy(ask('audit.replayCall', {id: callId}, {signal, exact: true}));
        replace(place, decisions(answer, recorded));
        button.textContent = 'Decide once more';
        announce(summary(answer).join(' '));
      } catch (error) {
        if (error.name !== 'AbortError') {
          replace(place, problem(error));
        }
      }
    }),
  }, 'Decide again');
  return h('div', null,
    h('p', {class: 'muted'},
      'The gates decide this call again, by the rules in force when it came and by the rules in force now. Nothing is forwarded.'),
    button, place);
}

function summary({then, now, notReplayable}) {
  const sentences = [];
  if (then) {
    sentences.push(then.agrees
      ? 'The rules of then decide as it was recorded.'
      : 'The rules of then decide otherwise than was recorded.');
  }
  if (now) {
    sentences.push(now.differs
      ? `Today it would be ${plain(now.outcome)}.`
      : 'Today it would come to the same.');
  }
  if (notReplayable) {
    sentences.push(`It cannot be decided again: ${plain(notReplayable.message)}.`);
  }
  return sentences;
}

function decisions(answer, recorded) {
  const {then, now, notReplayable} = answer;
  const [first, ...rest] = summary(answer);
  const isChanged = (then && !then.agrees) || now?.differs;
  return [
    h('p', {class: `again-summary${isChanged ? ' is-changed' : ''}`}, [first, ...rest].join(' ')),
    (then || now) && comparison(then, now, recorded),
    notReplayable && (then || now) && h('p', {class: 'note'}, plain(notReplayable.message)),
    notes('Not decided again, because it came from outside:', answer.notDecidedAgain),
    notes('To read this correctly:', answer.remarks),
  ];
}

function notes(sentence, items) {
  return items?.length > 0 && h('div', {class: 'note'}, h('p', null, sentence),
    h('ul', null, items.map(item => h('li', null, plain(item)))));
}

/** One row a gate; what differs from the record is marked. */
function comparison(then, now, recorded) {
  const columns = [
    {label: 'Recorded', rulings: recorded, outcome: then?.recorded, differences: [], isRecord: true},
    then && {label: 'By the rules of then', rules: then, rulings: then.rulings, outcome: outcome(then),
      differences: then.differences, isOther: !then.agrees},
    now && {label: 'By the rules of now', rules: now, rulings: now.rulings, outcome: outcome(now),
      differences: now.differences, isOther: now.differs},
  ].filter(Boolean);
  const asked = GATE_NAMES.filter(gate => columns.some(column => column.rulings.some(it => it.gate === gate)));
  return h('div', {class: 'table-region', tabIndex: 0, role: 'region', 'aria-label': 'The decisions compared'},
    h('table', {role: 'table', class: 'comparison'},
      h('caption', {class: 'sr'}, 'What each gate decided then, and decides again'),
      h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'},
        h('th', {scope: 'col', role: 'columnheader'}, 'Gate'),
        columns.map(column => h('th', {scope: 'col', role: 'columnheader'}, column.label,
          column.rules && rules(column.rules))))),
      h('tbody', {role: 'rowgroup'},
        asked.map(gate => h('tr', {role: 'row'},
          h('th', {scope: 'row', role: 'rowheader', 'data-label': 'Gate'}, gate),
          columns.map(column => cell(column, column.rulings.find(it => it.gate === gate), differs(column, gate))))),
        h('tr', {role: 'row', class: 'outcome'},
          h('th', {scope: 'row', role: 'rowheader', 'data-label': 'Gate'}, 'outcome'),
          columns.map(column => h('td', {role: 'cell', 'data-label': column.label, class: column.isOther
            ? 'is-different' : null},
            plain(cut(column.outcome ?? '–', 300)), column.isOther && mark()))))));
}

function outcome(decision) {
  return decision.outcome + (decision.source ? ` to ${decision.source}` : '');
}

function rules(decision) {
  return h('span', {class: 'rules-of'}, ' ', h('bdi', {class: 'code', title: plain(decision.rulesHash)},
    shortText(decision.rulesHash)),
    decision.activatedAt && [' since ', time(decision.activatedAt)]);
}

function differs(column, gate) {
  return column.differences.some(it => it.gate === gate);
}

function cell(column, ruling, isDifferent) {
  return h('td', {role: 'cell', 'data-label': column.label, class: isDifferent ? 'is-different' : null},
    ruling
      ? [verdict(ruling), basis(ruling).map(([name, value]) =>
        h('span', {class: 'basis'}, h('span', {class: 'muted'}, name, ' '), value))]
      : h('span', {class: 'none'}, 'not asked'),
    isDifferent && mark());
}

function mark() {
  return h('span', {class: 'different'}, 'differs');
}
