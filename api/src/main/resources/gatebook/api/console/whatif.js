// What-if: recorded calls decided again by a candidate for the rules, and what it would change.

import {link} from './address.js';
import {beginWithRulesInForce} from './candidate.js';
import {h, replace} from './dom.js';
import {code, count, counted, errorCode, plain, shortId, time} from './format.js';
import {instant} from './filter.js';
import {call, hasRole} from './rpc.js';
import {busy, empty, facts, page, periodPicker, problem, table} from './ui.js';

export const title = 'What-if';

const PAUSE_MILLIS = 1_000;

/** The changes, in the order in which they matter. */
const CHANGES = [
  ['newly-allowed', 'Newly allowed'],
  ['newly-denied', 'Newly denied'],
  ['newly-asked', 'A person is newly asked'],
  ['no-longer-asked', 'No person is asked any longer'],
  ['rerouted', 'To another source'],
  ['refused-otherwise', 'Refused otherwise'],
  ['unchanged', 'Unchanged'],
];

export async function show(main, {signal}) {
  if (!hasRole('arguments')) {
    replace(main, page('What-if', empty('What-ifs are for operators who may see arguments.', 'Your operator lacks the role arguments.')));
    return;
  }
  const result = h('div', {class: 'check-result', 'aria-live': 'polite'});
  const content = page('What-if', form(result, signal), result);
  const status = await busy(call('audit.whatifStatus', {}, {signal}));
  if (signal.aborted) {
    return;
  }
  replace(main, content);
  follow(status, result, signal);
}

function form(result, signal) {
  const text = h('textarea', {
    id: 'candidate', rows: 14, spellcheck: 'false', autocapitalize: 'off', wrap: 'off', 'aria-describedby': 'candidate-note',
  });
  let period = {};
  return h('form', {
    onsubmit: async event => {
      event.preventDefault();
      try {
        const params = {text: text.value};
        for (const name of ['since', 'until']) {
          if (period[name]) {
            params[name] = instant(period[name]);
          }
        }
        follow(await busy(call('audit.whatif', params, {signal})), result, signal);
      } catch (error) {
        if (!signal.aborted) {
          replace(result, problem(error));
        }
      }
    },
  },
  h('label', {htmlFor: 'candidate'}, 'The text of a candidate for the rules'),
  text,
  h('p', {class: 'muted', id: 'candidate-note'}, 'Nothing takes effect, and no source is asked. Policies that it names are read in the folder of the file in force, for admins only.'),
  h('div', {class: 'toolbar'},
    periodPicker(period, chosen => {
      period = chosen;
    }),
    h('button', {type: 'submit', class: 'primary'}, 'Decide again'),
    hasRole('admin') && beginWithRulesInForce(text, result, signal)));
}

/** Shows a what-if, and again until it has ended. */
async function follow(status, place, signal) {
  try {
    let shown = status;
    while (shown.state === 'running' && !signal.aborted) {
      showProgress(shown, place, signal);
      await new Promise(resolve => {
        setTimeout(resolve, PAUSE_MILLIS);
      });
      if (!signal.aborted) {
        shown = await call('audit.whatifStatus', {}, {signal});
      }
    }
    if (!signal.aborted) {
      replace(place, ended(shown));
    }
  } catch (error) {
    if (!signal.aborted) {
      replace(place, problem(error));
    }
  }
}

function showProgress({position, upTo, decided}, place, signal) {
  replace(place,
    h('p', {class: 'verdict'}, `Position ${count(position)} of ${count(upTo)}, ${counted(decided, 'call')} decided.`),
    h('button', {
      type: 'button', 'data-key': 'cancel-whatif',
      onclick: () => call('audit.cancelWhatif', {}, {signal}).catch(error => replace(place, problem(error))),
    }, 'Cancel'));
}

function ended({state, error, report}) {
  if (state === 'none') {
    return empty('There was no what-if since the start of this node.', 'Give a candidate to see what it would change for the recorded calls.');
  }
  if (state !== 'done') {
    return h('p', {class: 'verdict bad'}, plain(error ?? state));
  }
  return shownReport(report);
}

function shownReport(report) {
  const {range, calls, selfCheck, groups} = report;
  const changed = CHANGES.reduce((sum, [name]) => sum + (name === 'unchanged' ? 0 : report.changes[name]), 0);
  return [
    h('p', {class: `verdict ${changed === 0 ? 'ok' : 'bad'}`}, `${counted(changed, 'call')} of ${count(calls.replayed)} would change.`),
    facts([
      ['Candidate', code(report.candidate)],
      ['Read', `positions ${count(range.after + 1)} to ${count(range.upTo)}, under a checkpoint over ${counted(range.size, 'event')}`],
      ['Dropped', range.droppedThrough ? `events up to position ${count(range.droppedThrough)} were dropped for good` : null],
      ['Calls', `${count(calls.recorded)} recorded, ${count(calls.decided)} decided, ${count(calls.replayed)} replayed`],
      ...CHANGES.map(([name, label]) => [label, report.changes[name] > 0 ? count(report.changes[name]) : null]),
      ['Rules of then', selfCheck.faults > 0
        ? `decide ${counted(selfCheck.faults, 'call')} otherwise than recorded: a fault of Gatebook`
        : `decide ${counted(selfCheck.agrees, 'call')} as recorded`],
    ]),
    groups.length > 0 && table(COLUMNS, groups, {caption: 'Calls that would change, the most frequent first', showCaption: true}),
    report.leftOut && h('p', {class: 'note'}, `Not shown: ${Object.entries(report.leftOut.calls).map(([name, n]) => `${count(n)} ${name}`).join(', ')}, in smaller groups.`),
    report.notReplayable.length > 0 && table(REASONS, report.notReplayable, {caption: 'Calls that are not replayable', showCaption: true}),
  ];
}

const COLUMNS = [
  {label: 'Change', cell: row => CHANGES.find(([name]) => name === row.change)?.[1] ?? plain(row.change)},
  {label: 'Calls', numeric: true, cell: row => count(row.count)},
  {label: 'Target', cell: row => code(row.target ?? '–', {max: 60})},
  {label: 'Principal', cell: row => code(row.principal, {max: 40})},
  {label: 'Before', cell: row => plain(row.before)},
  {label: 'After', cell: row => [plain(row.after), row.code !== undefined && [' ', errorCode(row.code)]]},
  {label: 'By', cell: row => (row.gate ? `${plain(row.gate)}, ${plain(row.rule ?? '')}` : '–')},
  {label: 'Last', cell: row => time(row.last)},
  {label: 'Example', cell: row => example(row.examples[0])},
];

const REASONS = [
  {label: 'Reason', cell: row => plain(row.reason)},
  {label: 'Calls', numeric: true, cell: row => count(row.count)},
  {label: 'Why', cell: row => plain(row.message)},
  {label: 'Example', cell: row => example(row.examples[0])},
];

function example(callId) {
  return hasRole('view') ? link(`call/${callId}`, {}, shortId(callId)) : shortId(callId);
}
