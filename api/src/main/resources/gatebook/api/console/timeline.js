// The timeline of a call: who had it for how long, drawn to scale.

import {h, replace} from './dom.js';
import {cut, duration, plain} from './format.js';

const STEPS_SHOWN = 24;
const WAIT_SHARE_MIN = 0.6;
const WAIT_WIDTH = 0.06;

/** `CallReceived` of `gatebook.CallReceived`. */
export function localName(name) {
  return String(name).slice(String(name).lastIndexOf('.') + 1);
}

/**
 * The spans of a call, in order: `{kind, gate?, label, from, micros, position}`. The kind is gate,
 * person, upstream, caller or node; times are microseconds since the call was received.
 */
export function spans(events) {
  const all = [];
  let from = 0;
  let attempt = 0;
  let source = null;
  for (const event of events) {
    const name = localName(event.name);
    for (const part of event.spent ?? []) {
      const micros = Number(part.micros);
      const text = label(part, event, attempt, source);
      const before = all.at(-1);
      if (before?.label === text && before.kind === 'node') {
        before.micros += micros;
        from += micros;
        continue;
      }
      all.push({
        kind: part.on,
        gate: part.gate,
        label: text,
        from,
        micros,
        position: event.position,
      });
      from += micros;
    }
    if (name === 'CallForwarded') {
      attempt = Number(event.data?.attempt ?? attempt + 1);
      source = event.data?.source ?? source;
    }
  }
  return all;
}

function label(part, event, attempt, source) {
  switch (part.on) {
    case 'gate': return `gate ${part.gate}`;
    case 'person': return 'waiting for a person';
    case 'caller': return 'waiting for the caller’s reply';
    case 'upstream': return `upstream${source ? ` ${cut(plain(source), 40)}` : ''}${attempt > 0 ? `, attempt ${attempt}` : ''}`;
    default: return nodeWork(event);
  }
}

/** The work of the node, mostly waiting until its journal is on disk. */
function nodeWork(event) {
  if (event.spent.some(part => part.on === 'upstream')) {
    return 'recording, then sending';
  }
  switch (localName(event.name)) {
    case 'GateDenied':
    case 'ErrorTranslated':
    case 'MessageRefused': return 'translating, recording';
    case 'CallAdmitted':
    case 'ApprovalRequested': return 'reading, recording';
    default: return 'recording';
  }
}

/** How long the call was with each: `{kind: micros}`. */
export function sums(all) {
  const by = {};
  for (const span of all) {
    by[span.kind] = (by[span.kind] ?? 0) + span.micros;
  }
  return by;
}

/**
 * A scale: maps microseconds to a share of the width. Without the waits, each wait for a person or
 * the caller has one small width, whatever it took.
 */
export function scale(all, isWithoutWaits) {
  const total = all.reduce((sum, span) => sum + span.micros, 0);
  if (!isWithoutWaits) {
    return {total, at: micros => total === 0 ? 0 : micros / total};
  }
  const waits = all.filter(isWait);
  const rest = total - waits.reduce((sum, span) => sum + span.micros, 0);
  const width = Math.min(WAIT_WIDTH, 0.5 / Math.max(1, waits.length));
  const perMicro = rest === 0 ? 0 : (1 - width * waits.length) / rest;
  return {
    total,
    at: micros => {
      let position = micros;
      let share = 0;
      for (const wait of waits) {
        const inside = Math.min(Math.max(micros - wait.from, 0), wait.micros);
        position -= inside;
        share += wait.micros === 0 ? 0 : width * (inside / wait.micros);
      }
      return share + position * perMicro;
    },
  };
}

function isWait(span) {
  return span.kind === 'person' || span.kind === 'caller';
}

/** Round times for the marks of an axis that ends at `total` microseconds. */
export function ticks(total) {
  if (total <= 0) {
    return [];
  }
  const step = [1, 2, 5].flatMap(n => [...Array(12).keys()].map(power => n * 10 ** power))
    .sort((a, b) => a - b)
    .find(size => total / size <= 5) ?? total;
  const all = [];
  for (let at = step; at < total * 0.97; at += step) {
    all.push(at);
  }
  return all;
}

/** The timeline as an element. */
export function timeline(call) {
  const all = spans(call.events);
  const total = all.reduce((sum, span) => sum + span.micros, 0);
  const waits = all.filter(isWait).reduce((sum, span) => sum + span.micros, 0);
  const offersWithoutWaits = waits > total * WAIT_SHARE_MIN && waits < total;
  const place = h('div', {class: 'timeline-rows'});
  let isWithoutWaits = offersWithoutWaits;
  let isWhole = false;
  draw();
  return h('div', {class: 'timeline'},
    offersWithoutWaits && h('label', {class: 'check'},
      h('input', {type: 'checkbox', checked: true, 'data-key': 'without-waits', onchange: event => {
        isWithoutWaits = event.target.checked;
        draw();
      }}),
      'Draw waits short, so that the rest can be seen'),
    place);

  function draw() {
    const drawn = scale(all, isWithoutWaits);
    const shown = isWhole ? all : all.slice(0, STEPS_SHOWN);
    replace(place,
      h('table', {class: 'timeline-table', role: 'table'},
        h('caption', {class: 'sr'}, 'Who had the call, for how long'),
        h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'},
          h('th', {scope: 'col', role: 'columnheader'}, 'Who had it'),
          h('th', {scope: 'col', role: 'columnheader', class: 'axis'}, h('span', {class: 'sr'}, 'drawn to scale'),
            axis(drawn, isWithoutWaits)),
          h('th', {scope: 'col', role: 'columnheader', class: 'numeric'}, 'After'),
          h('th', {scope: 'col', role: 'columnheader', class: 'numeric'}, 'Took'))),
        h('tbody', {role: 'rowgroup'}, shown.map(span => row(span, drawn, isWithoutWaits)))),
      shown.length < all.length && h('button',
        {type: 'button', class: 'link', 'data-key': 'all-steps', onclick: () => {
        isWhole = true;
        draw();
      }}, `Show all ${all.length} steps`));
  }
}

function row(span, drawn, isWithoutWaits) {
  const from = drawn.at(span.from);
  const width = drawn.at(span.from + span.micros) - from;
  return h('tr', {role: 'row', class: `span-${span.kind}`},
    h('th', {scope: 'row', role: 'rowheader', title: span.label}, span.label),
    h('td', {role: 'cell', class: 'track'}, h('span', {
      class: `bar bar-${span.kind}${isWithoutWaits && isWait(span) ? ' is-short' : ''}`,
      style: {'inset-inline-start': percent(from), width: percent(width)},
      'aria-hidden': 'true',
    })),
    h('td', {role: 'cell', class: 'numeric muted'}, h('span', {class: 'sr'}, 'after '), duration(span.from / 1_000)),
    h('td', {role: 'cell', class: 'numeric'}, duration(span.micros / 1_000)));
}

function axis(drawn, isWithoutWaits) {
  if (isWithoutWaits) {
    return null;
  }
  return h('span', {class: 'ticks', 'aria-hidden': 'true'}, ticks(drawn.total).map(at =>
    h('span', {class: 'tick', style: {'inset-inline-start': percent(drawn.at(at))}}, duration(at / 1_000))));
}

function percent(share) {
  return `${(Math.min(Math.max(share, 0), 1) * 100).toFixed(3)}%`;
}
