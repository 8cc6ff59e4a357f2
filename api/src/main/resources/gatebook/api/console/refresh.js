// Loads what a page shows anew when events come that concern it. Requests are recorded, so nothing
// is ever asked for on a clock.

const EVERY_MILLIS = 2_000;
const SOON_MILLIS = 150;

/**
 * Calls `refresh` after events of these names that `concerns`, at most once in `everyMillis` and
 * only while the page is visible; what comes meanwhile is not forgotten. Ends with the signal.
 *
 * @param concerns gets events of the tail; a batch that was sampled always concerns
 */
export async function refreshOn({names, concerns = () => true, refresh, everyMillis = EVERY_MILLIS, signal}) {
  let timer = null;
  let lastAt = -everyMillis;
  let isDue = false;
  const run = async () => {
    timer = null;
    isDue = document.visibilityState !== 'visible';
    if (!isDue && !signal.aborted) {
      lastAt = performance.now();
      await refresh();
    }
  };
  const plan = () => {
    timer ??= setTimeout(run, Math.max(SOON_MILLIS, lastAt + everyMillis - performance.now()));
  };
  const onVisible = () => isDue && document.visibilityState === 'visible' && plan();
  let follow;
  try {
    ({follow} = await import('./tail.js'));
  } catch {
    return; // without the tail the page shows what it loaded
  }
  if (signal.aborted) {
    return;
  }
  const stop = follow({
    names,
    onEvents: ({events, sampled}) => {
      if (sampled || concerns(events)) {
        plan();
      }
    },
    onState: () => {},
  });
  document.addEventListener('visibilitychange', onVisible);
  signal.addEventListener('abort', () => {
    stop();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
  });
}
