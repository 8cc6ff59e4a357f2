// Bars over time, with a table that has the same numbers, and lines of small bars for tables.

import {append, clear, h, replace, s} from './dom.js';
import {count, localText, plain} from './format.js';

const HEIGHT = 190;
const HEIGHT_NARROW = 150;
const NARROW = 480;
const DRAG_PIXELS_MIN = 4;
const STEPS = [1, 2, 5].flatMap(it => [0, 1, 2, 3, 4, 5, 6, 7, 8].map(power => it * 10 ** power)).sort((a, b) => a - b);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

let library = null;
let charts = 0;

/**
 * Draws stacked bars into an element.
 *
 * `times` are the beginnings of the bars (times of any form), each `bucketMillis` long; `series` are
 * `{label, counts, colour}`, where the colour is the name of a CSS property. A click on a bar, a
 * drag over some, and the keys (arrows, Shift, Enter) call `onSelect(since, until)` with RFC 3339
 * times. Returns `{update(data), destroy()}`.
 *
 * @param options `label`: what is counted, as the chart's name; `noun`: one of them, and several;
 *     `signal`: ends the chart
 */
export function bars(element, options) {
  return new Bars(element, options);
}

class Bars {
  #element;
  #options;
  #data;
  #plot = null;
  #ends = new AbortController();
  #id = `chart-${++charts}`;
  #mark = null;
  #place;
  #readout;
  #legend;
  #table;

  constructor(element, {times, series, bucketMillis, ...options}) {
    this.#element = element;
    this.#options = {label: 'Counts over time', noun: ['event', 'events'], ...options};
    this.#data = normal({times, series, bucketMillis});
    this.#build();
    this.#show();
    this.#load();
    options.signal?.addEventListener('abort', () => this.destroy());
  }

  update(data) {
    this.#data = normal(data);
    this.#mark = null;
    this.#show();
    this.#draw();
  }

  destroy() {
    this.#ends.abort();
    this.#plot?.destroy();
    this.#plot = null;
  }

  #build() {
    const {label, onSelect} = this.#options;
    this.#place = h('div', {
      class: 'chart-plot',
      tabIndex: onSelect ? 0 : -1,
      role: 'group',
      'aria-roledescription': 'bar chart',
      'aria-label': label,
      'aria-describedby': `${this.#id}-keys`,
      'data-key': 'chart',
      onkeydown: event => this.#onKey(event),
      onblur: () => this.#setMark(null),
    });
    this.#readout = h('p', {class: 'chart-readout', 'aria-live': 'polite'});
    this.#legend = h('ul', {class: 'chart-legend'});
    this.#table = h('div');
    const details = h('details', {class: 'chart-table', ontoggle: () => details.open && this.#showTable()},
      h('summary', null, 'Same as a table'), this.#table);
    replace(this.#element,
      h('figure', {class: 'chart'},
        h('div', {class: 'chart-head'}, this.#readout, this.#legend),
        this.#place,
        h('p', {class: 'sr', id: `${this.#id}-keys`}, onSelect
          ? 'The left and right arrow keys choose a bar, with Shift several; Enter narrows the time to them.'
          : ''),
        details));
  }

  async #load() {
    const {signal} = this.#ends;
    try {
      library ??= loadLibrary();
      await library;
    } catch {
      library = null;
      replace(this.#place, h('p', {class: 'note'}, 'The chart could not be loaded; the table below has the same numbers.'));
      this.#element.querySelector('details').open = true;
      return;
    }
    if (signal.aborted) {
      return;
    }
    const size = new ResizeObserver(() => this.#resize());
    size.observe(this.#place);
    signal.addEventListener('abort', () => size.disconnect());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw(), {signal});
  }

  async #draw() {
    if (!library || this.#ends.signal.aborted) {
      return;
    }
    const uPlot = await library;
    if (this.#ends.signal.aborted || !this.#place.isConnected) {
      return; // it is drawn once it has a size
    }
    this.#plot?.destroy();
    clear(this.#place);
    this.#plot = new uPlot(this.#plotOptions(uPlot), this.#plotData(), this.#place);
    this.#plot.over.setAttribute('aria-hidden', 'true');
    this.#followPointer(this.#plot.over);
    this.#setMark(this.#mark);
  }

  /** The sums of the series from below, the highest first, so that each is drawn before those below it. */
  #plotData() {
    const {times, series} = this.#data;
    const sums = new Array(times.length).fill(0);
    const stacked = series.map(({counts}) => counts.map((it, index) => (sums[index] += it)));
    return [times.map(it => it / 1_000), ...stacked.reverse()];
  }

  #plotOptions(uPlot) {
    const style = getComputedStyle(this.#place);
    const css = name => style.getPropertyValue(name).trim() || style.color;
    const font = `11px ${style.fontFamily}`;
    const {times, series, bucketMillis} = this.#data;
    const from = times[0] / 1_000;
    const to = (times.at(-1) + bucketMillis) / 1_000;
    const wide = this.#place.clientWidth / Math.max(1, times.length) > 6;
    return {
      ...this.#size(),
      padding: [8, 20, 0, 0],
      legend: {show: false},
      cursor: {y: false, points: {show: false}, drag: {x: false, y: false}},
      scales: {
        x: {time: true, range: () => [from, to]},
        y: {range: (_, __, max) => [0, Math.max(1, max * 1.05)]},
      },
      axes: [
        {stroke: () => css('--muted'), font, grid: {show: false}, ticks: {stroke: css('--rule'), width: 1, size: 4}, gap: 4, size: 26, space: 64, values: (_, splits, __, ___, step) => splits.map(it => tick(it, step))},
        {stroke: () => css('--muted'), font, grid: {stroke: css('--line'), width: 1}, ticks: {show: false}, gap: 6, size: axisWidth, incrs: STEPS, space: 36, values: (_, splits) => splits.map(compact)},
      ],
      series: [
        {},
        ...[...series].reverse().map(({label, colour}) => ({
          label,
          fill: css(colour),
          width: 0,
          points: {show: false},
          paths: uPlot.paths.bars({align: 1, size: [1, Infinity], gap: wide ? 1.5 : 0}),
        })),
      ],
      hooks: {setCursor: [plot => this.#hover(plot)]},
    };
  }

  #size() {
    const width = Math.max(160, this.#place.clientWidth);
    return {width, height: width < NARROW ? HEIGHT_NARROW : HEIGHT};
  }

  #resize() {
    const {width} = this.#size();
    if (!this.#plot) {
      this.#draw();
    } else if (width !== this.#plot.width) {
      this.#plot.setSize(this.#size());
      this.#setMark(this.#mark);
    }
  }

  #show() {
    const {series} = this.#data;
    const shown = series.filter(({counts}) => sum(counts) > 0);
    replace(this.#legend, series.length < 2 ? null : shown.map(({label, colour, counts}) =>
      h('li', null,
        h('span', {class: 'swatch', style: {'background-color': `var(${colour})`}, 'aria-hidden': 'true'}),
        plain(label), ' ', h('span', {class: 'muted num'}, count(sum(counts))))));
    this.#say(null);
    if (this.#table.firstChild) {
      this.#showTable();
    }
  }

  /** Says what the bars from `first` to `last` count; what all count when there are none. */
  #say(range) {
    const {times, series, bucketMillis} = this.#data;
    const [first, last] = range ?? [0, times.length - 1];
    const parts = series
      .map(({label, counts}) => [label, sum(counts.slice(first, last + 1))])
      .filter(([, n]) => n > 0);
    const all = parts.reduce((n, [, part]) => n + part, 0);
    replace(this.#readout,
      h('span', {class: 'chart-count num'}, this.#counted(all)), ' ',
      h('span', {class: 'muted'}, span(times[first], times[last] + bucketMillis)),
      range && series.length > 1 && parts.length > 0 &&
        h('span', {class: 'muted'}, ` · ${parts.map(([label, n]) => `${plain(label)} ${count(n)}`).join(', ')}`));
  }

  #counted(n) {
    const [one, many] = this.#options.noun;
    return `${count(n)} ${n === 1 ? one : many}`;
  }

  #hover(plot) {
    if (this.#mark) {
      return;
    }
    const index = plot.cursor.left >= 0 ? this.#indexAt(plot.cursor.left) : null;
    this.#readout.setAttribute('aria-live', 'off'); // whoever points sees it
    this.#say(index === null ? null : [index, index]);
  }

  #indexAt(left) {
    const {times, bucketMillis} = this.#data;
    const at = this.#plot.posToVal(left, 'x') * 1_000;
    return Math.min(times.length - 1, Math.max(0, Math.floor((at - times[0]) / bucketMillis)));
  }

  #followPointer(over) {
    const {signal} = this.#ends;
    if (!this.#options.onSelect) {
      return;
    }
    let start = null;
    const leftOf = event => event.clientX - over.getBoundingClientRect().left;
    const rangeTo = event => {
      const [a, b] = [this.#indexAt(start), this.#indexAt(leftOf(event))];
      return Math.abs(leftOf(event) - start) < DRAG_PIXELS_MIN ? [b, b] : [Math.min(a, b), Math.max(a, b)];
    };
    over.addEventListener('pointerdown', event => {
      if (event.button === 0) {
        start = leftOf(event);
        over.setPointerCapture(event.pointerId);
      }
    }, {signal});
    over.addEventListener('pointermove', event => start !== null && this.#setMark({range: rangeTo(event)}), {signal});
    over.addEventListener('pointerup', event => {
      if (start !== null) {
        const range = rangeTo(event);
        start = null;
        this.#select(range);
      }
    }, {signal});
    over.addEventListener('pointercancel', () => {
      start = null;
      this.#setMark(null);
    }, {signal});
  }

  #onKey(event) {
    const {times} = this.#data;
    if (!this.#options.onSelect || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const last = times.length - 1;
    const mark = this.#mark ?? {anchor: null, at: null};
    const at = mark.at ?? (event.key === 'ArrowRight' ? -1 : last + 1);
    const next = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last, PageUp: at - 10, PageDown: at + 10}[event.key];
    if (next !== undefined) {
      const to = Math.min(last, Math.max(0, next));
      const anchor = event.shiftKey ? (mark.anchor ?? mark.at ?? to) : to;
      this.#readout.setAttribute('aria-live', 'polite');
      this.#setMark({anchor, at: to, range: [Math.min(anchor, to), Math.max(anchor, to)]});
    } else if ((event.key === 'Enter' || event.key === ' ') && this.#mark) {
      this.#select(this.#mark.range);
    } else if (event.key === 'Escape' && this.#mark) {
      this.#setMark(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  #setMark(mark) {
    const before = this.#mark;
    this.#mark = mark;
    this.#place.classList.toggle('is-marked', mark !== null);
    if (mark || before) {
      this.#say(mark?.range ?? null);
    }
    if (!this.#plot) {
      return;
    }
    const {times, bucketMillis} = this.#data;
    const left = mark ? this.#plot.valToPos(times[mark.range[0]] / 1_000, 'x') : 0;
    const right = mark ? this.#plot.valToPos((times[mark.range[1]] + bucketMillis) / 1_000, 'x') : 0;
    this.#plot.setSelect({left, top: 0, width: right - left, height: this.#plot.over.clientHeight}, false);
  }

  #select([first, last]) {
    const {times, bucketMillis} = this.#data;
    this.#options.onSelect(iso(times[first]), iso(times[last] + bucketMillis));
  }

  /** The table leaves out the bars that count nothing, and says so. */
  #showTable() {
    const {times, series, bucketMillis} = this.#data;
    const {label, onSelect} = this.#options;
    const rows = times.map((_, index) => index).filter(index => series.some(({counts}) => counts[index] > 0));
    const cell = (text, props) => h('td', {class: 'numeric', role: 'cell', ...props}, text);
    replace(this.#table, h('div', {class: 'table-region', tabIndex: 0, role: 'region', 'aria-label': label},
      h('table', {role: 'table'},
        h('caption', null, `${label}; times that are not listed have none.`),
        h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'},
          h('th', {scope: 'col', role: 'columnheader'}, 'Time'),
          series.map(it => h('th', {scope: 'col', role: 'columnheader', class: 'numeric'}, plain(it.label))))),
        h('tbody', {role: 'rowgroup'}, rows.map(index => h('tr', {role: 'row'},
          h('th', {scope: 'row', role: 'rowheader', 'data-label': 'Time'}, onSelect
            ? h('button', {type: 'button', class: 'link', onclick: () => this.#select([index, index])}, span(times[index], times[index] + bucketMillis))
            : span(times[index], times[index] + bucketMillis)),
          series.map(it => cell(count(it.counts[index]), {'data-label': it.label}))))))));
  }
}

/** The library and its style, loaded when the first chart is drawn. */
async function loadLibrary() {
  const style = new Promise((resolve, reject) => {
    document.head.append(h('link', {
      rel: 'stylesheet',
      href: '/console/assets/vendor/uPlot.min.css',
      onload: resolve,
      onerror: () => reject(new Error('no style')),
    }));
  });
  const [module] = await Promise.all([import('./vendor/uPlot.esm.js'), style]);
  return module.default;
}

function normal({times, series, bucketMillis}) {
  const starts = times.map(it => (typeof it === 'number' ? it : new Date(it).getTime()));
  return {
    times: starts,
    series,
    bucketMillis: bucketMillis ?? (starts.length > 1 ? starts[1] - starts[0] : 60_000),
  };
}

function axisWidth(plot, values, index, cycle) {
  const axis = plot.axes[index];
  if (cycle > 1) {
    return axis._size;
  }
  const longest = (values ?? []).reduce((most, it) => Math.max(most, String(it ?? '').length), 1);
  return 14 + longest * 7;
}

function tick(seconds, step) {
  const at = new Date(seconds * 1_000);
  const isDay = step >= 86_400 || (at.getHours() === 0 && at.getMinutes() === 0 && at.getSeconds() === 0);
  const clock = localText(at.toISOString(), 'time');
  return isDay ? `${at.getDate()} ${MONTHS[at.getMonth()]}` : step < 60 ? clock : clock.slice(0, 5);
}

function compact(n) {
  return n >= 1_000_000 ? `${n / 1_000_000}M` : n >= 10_000 ? `${n / 1_000}k` : count(n);
}

/** The time from one moment to another, without what both have in common. */
function span(from, to) {
  const [one, other] = [localText(iso(from)), localText(iso(to))];
  const short = text => (text.endsWith(':00') ? text.slice(0, -3) : text);
  return one.slice(0, 10) === other.slice(0, 10) ? `${short(one)} – ${short(other.slice(11))}` : `${short(one)} – ${short(other)}`;
}

function iso(millis) {
  return new Date(millis).toISOString();
}

function sum(counts) {
  return counts.reduce((all, it) => all + it, 0);
}

/** A line of small bars, one for each count; a text says what they show. */
export function sparkline(counts, label, {width = 96, height = 18} = {}) {
  const most = Math.max(1, ...counts);
  const step = width / counts.length;
  const svg = s('svg', {class: 'sparkline', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label});
  return append(svg, counts.map((it, index) => {
    const size = it === 0 ? 0 : Math.max(1.5, (it / most) * height);
    return it > 0 && s('rect', {
      x: (index * step).toFixed(2),
      y: (height - size).toFixed(2),
      width: Math.max(0.75, step - (step > 3 ? 1 : 0)).toFixed(2),
      height: size.toFixed(2),
    });
  }));
}
