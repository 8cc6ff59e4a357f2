// Tells on every page that the node does not answer, and goes on once it does.

const ASK_MILLIS = 2_000;
const ANSWER_MILLIS_MAX = 5_000;

/**
 * Begins to listen for signs that the node does not answer. Whether it does is asked at its probe,
 * which is open and leaves no record.
 *
 * `onBack({hasFailed, wasTold})` is called once the node answers: whether a request of a page failed
 * meanwhile, and whether the bar told of it.
 */
export function followOutage({bar, onBegin, onBack}) {
  let isAsking = false;
  let hasFailed = false;
  window.addEventListener('node-silent', async ({detail}) => {
    hasFailed ||= detail.hasFailed;
    if (isAsking) {
      return;
    }
    isAsking = true;
    while (!await answers()) {
      if (bar.hidden) {
        bar.hidden = false;
        onBegin();
      }
      await new Promise(resolve => {
        setTimeout(resolve, ASK_MILLIS);
      });
    }
    const outage = {hasFailed, wasTold: !bar.hidden};
    bar.hidden = true;
    isAsking = false;
    hasFailed = false;
    onBack(outage);
  });
}

async function answers() {
  try {
    const {ok} = await fetch('/health', {
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(ANSWER_MILLIS_MAX),
    });
    return ok;
  } catch {
    return false;
  }
}
