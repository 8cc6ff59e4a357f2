package gatebook.api.console;

import static gatebook.events.bench.Bench.print;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.browser.BrowserWindow;
import gatebook.api.browser.Chromium;
import gatebook.api.browser.ColourScheme;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.load.GatebookProcess;
import gatebook.api.load.OperatorRequests;
import gatebook.api.load.PacedLoad;
import gatebook.api.node.KeysOnDisk;
import gatebook.events.bench.Bench;
import gatebook.events.bench.SampleCalls;
import gatebook.events.bench.Spread;
import gatebook.events.bench.Table;
import gatebook.events.bench.Times;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.Views;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * The console, in ten minutes: how soon a Chromium paints each page of a node with a million calls,
 * what each request of a page takes, and the live page while 2,000 calls a second are decided.
 */
final class ConsoleBench {
  private static final int CALLS = Bench.QUICK ? 20_000 : 1_000_000;
  private static final int ROUNDS = Bench.QUICK ? 3 : 20;
  private static final int REPETITIONS = Bench.QUICK ? 20 : 200;
  private static final long REQUEST_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
  private static final int PER_SECOND = 2_000;
  private static final int SECONDS = Bench.QUICK ? 5 : 60;
  private static final int WIDTH = 1_280;

  private static final String DENIED_CALL =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":\
      {"name":"delete_all","arguments":{"n":1}}}\
      """;

  /** Keeps what a page asks, what it paints, and when it does nothing else for long. */
  private static final String OBSERVE =
      """
      window.asked = [];
      window.painted = 0;
      window.longTasks = [];
      const plainFetch = window.fetch;
      window.fetch = (address, options) => {
        if (String(address).endsWith('/operator')) {
          window.asked.push(options.body);
        }
        return plainFetch(address, options);
      };
      new PerformanceObserver(list => window.painted = list.getEntries().at(-1).startTime)
        .observe({type: 'largest-contentful-paint', buffered: true});
      new PerformanceObserver(list => window.longTasks.push(...list.getEntries().map(it => it.duration)))
        .observe({type: 'longtask', buffered: true});
      """;

  private static final String FIRST_PAINT =
      "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1";

  private static final String IS_QUIET =
      """
      document.querySelector('#page h1')
      && document.querySelector('#page').getAttribute('aria-busy') !== 'true'
      && performance.getEntriesByType('resource').every(it => it.responseEnd > 0)
      && window.painted > 0\
      """;

  private final GatebookProcess gatebook;
  private final HttpClient http = HttpClient.newHttpClient();
  private final OperatorRequests operator;
  private final Set<String> assets = new TreeSet<>();

  private ConsoleBench(Path directory, GatebookProcess gatebook) throws IOException {
    this.gatebook = gatebook;
    this.operator = new OperatorRequests(gatebook, directory.resolve("measured"));
  }

  static void measure(Bench bench) throws Exception {
    Path directory = bench.directory();
    Files.writeString(
        directory.resolve("gatebook.yaml"),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance:
          defaults: {action: forward}
          rules: [{match: "delete_*", action: deny}]
        """);
    fill(directory.resolve("measured"));
    try (GatebookProcess gatebook = GatebookProcess.start(bench.root(), directory, "measured");
        Chromium browser = Chromium.start(directory.resolve("browser"))) {
      print("Chromium %s", browser.version());
      new ConsoleBench(directory, gatebook).measure(browser);
    }
  }

  private static void fill(Path data) throws InterruptedException, IOException {
    long begun = System.nanoTime();
    try (DataDirectory opened =
            ((DataDirectory.Opening.Opened) DataDirectory.open(data)).directory();
        Journal journal =
            Journals.opened(
                new JournalPlace(data, Optional.empty())
                    .settings(JournalSection.DEFAULT, Map.of()));
        ViewFile file = ((ViewFile.Opening.Opened) ViewFile.open(data.resolve("views"))).views();
        ContentKeyStore contentKeys = KeysOnDisk.open(data, journal);
        Views views = Views.follow(file, journal, new EventVocabulary())) {
      var _ = opened.operatorToken();
      new SampleCalls(new EventVocabulary(contentKeys, OldKeys.NONE)).fill(journal, 0, CALLS);
      for (View view : views.all()) {
        view.await(journal.head(), Long.MAX_VALUE / 2_000_000);
      }
      print(
          "%,d calls, %,d events, recorded and in all views in %.0f s",
          CALLS, journal.head(), (System.nanoTime() - begun) / 1e9);
    }
  }

  private void measure(Chromium browser) throws IOException, InterruptedException {
    BrowserWindow window = browser.newWindow();
    window.look(ColourScheme.LIGHT, WIDTH);
    window.beforeEachPage(OBSERVE);
    signIn(window);
    Map<String, String> pages = pages();
    Map<String, List<String>> requests = measurePaints(window, pages);
    measureRequests(requests);
    print("%nassets: %s", assetSizes());
    measureLive(window);
    print("errors of the browser's console: %s", browser.takeErrors());
  }

  private void signIn(BrowserWindow window) {
    window.open(url("/"));
    window.find("#token").fill(operator.token());
    window.find("#sign-in button").click();
    window.await("document.documentElement.dataset.session === 'in'");
  }

  private URI url(String path) {
    return gatebook.admin(path);
  }

  /** The paths of the pages by their names. */
  private Map<String, String> pages() {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("home", "/");
    pages.put("calls", "/console/calls");
    pages.put("denied calls", "/console/calls?status=denied");
    pages.put("calls of a tool", "/console/calls?tool=tool_7");
    pages.put("calls of a principal", "/console/calls?principal=agent-7");
    pages.put("a call", "/console/call/" + SampleCalls.id(CALLS / 2));
    pages.put("an answered call", "/console/call/" + SampleCalls.id(CALLS / 3 + 1));
    pages.put("denials", "/console/denials");
    pages.put("errors", "/console/errors");
    pages.put("live", "/console/live");
    pages.put("approvals", "/console/approvals");
    pages.put("rules", "/console/rules");
    pages.put("node", "/console/node");
    return pages;
  }

  /** Returns the requests of each page, one of those that differ only in their times. */
  private Map<String, List<String>> measurePaints(BrowserWindow window, Map<String, String> pages) {
    Table table =
        new Table(
            "page",
            "first paint, ms",
            "the same without the browser's cache",
            "last larger paint, ms",
            "requests");
    Map<String, List<String>> requests = new LinkedHashMap<>();
    pages.forEach((name, path) -> {
      List<String> asked = new ArrayList<>();
      List<Double> last = new ArrayList<>();
      List<Double> first = paints(window, path, last, asked);
      setCache(window, true);
      List<Double> uncached = paints(window, path, new ArrayList<>(), asked);
      setCache(window, false);
      Map<String, String> distinct = new LinkedHashMap<>();
      asked.forEach(request -> distinct.put(withoutTimes(request), request));
      requests.put(name, List.copyOf(distinct.values()));
      table.add(
          name,
          Spread.of(first).text(0),
          Spread.of(uncached).text(0),
          Spread.of(last).text(0),
          Integer.toString(requests.get(name).size()));
    });
    print("%nopened %d times each: median (lowest-highest)%n%s", ROUNDS, table);
    return requests;
  }

  private static void setCache(BrowserWindow window, boolean isDisabled) {
    var _ = window.devTools("Network.enable", Map.of());
    var _ = window.devTools("Network.setCacheDisabled", Map.of("cacheDisabled", isDisabled));
  }

  private List<Double> paints(
      BrowserWindow window, String path, List<Double> last, List<String> asked) {
    List<Double> first = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      window.open(url(path));
      window.await(IS_QUIET);
      first.add(window.script(FIRST_PAINT).asDouble());
      last.add(window.script("return window.painted").asDouble());
      window.script("return window.asked").forEach(it -> asked.add(withoutId(it.asText())));
      for (JsonNode name :
          window.script("return performance.getEntriesByType('resource').map(it => it.name)")) {
        String file = URI.create(name.asText()).getPath();
        if (file.startsWith("/console/assets/")) {
          assets.add(file);
        }
      }
    }
    return first;
  }

  private static String withoutId(String request) {
    return request.replaceFirst("\"id\":\\d+", "\"id\":1");
  }

  private static String withoutTimes(String request) {
    return request.replaceAll("\"\\d{4}-\\d\\d-\\d\\dT[^\"]*\"", "\"\"");
  }

  private void measureRequests(Map<String, List<String>> requests)
      throws IOException, InterruptedException {
    Table table = new Table("page", "request", "times", "p50 ms", "p99 ms", "max ms");
    for (Map.Entry<String, List<String>> page : requests.entrySet()) {
      for (String request : page.getValue()) {
        Times times = times(request);
        table.add(
            page.getKey(),
            shown(request),
            Integer.toString(times.count()),
            number(times.millis(0.5)),
            number(times.millis(0.99)),
            number(times.millis(1)));
      }
    }
    print("%neach request of a page, one at a time%n%s", table);
  }

  private static String shown(String request) {
    return request
        .replaceFirst(".*\"method\":\"", "")
        .replaceFirst("\",\"params\":", " ")
        .replaceFirst("}$", "")
        .replace("|", "\\|");
  }

  private static String number(double millis) {
    return "%.1f".formatted(millis);
  }

  /** Repeats a request, fewer times when each takes long. */
  private Times times(String request) throws IOException, InterruptedException {
    long[] nanos = new long[REPETITIONS];
    int number = 0;
    long started = System.nanoTime();
    while (number < REPETITIONS
        && (number < ROUNDS || System.nanoTime() - started < REQUEST_NANOS_MAX)) {
      long begun = System.nanoTime();
      String body = operator.send(request);
      nanos[number++] = System.nanoTime() - begun;
      if (!body.contains("\"jsonrpc\"")) { // an error is an answer: the sample calls have no rules
        throw new IOException("%s is answered with %.500s".formatted(request, body));
      }
    }
    return Times.of(Arrays.copyOf(nanos, number));
  }

  /** The sizes of all assets that any page loaded, and of the page itself. */
  private String assetSizes() throws IOException, InterruptedException {
    long plain = size("/", "identity");
    long compressed = size("/", "gzip");
    for (String asset : assets) {
      plain += size(asset, "identity");
      compressed += size(asset, "gzip");
    }
    return "%d files, %,d bytes compressed, %,d bytes plain"
        .formatted(assets.size() + 1, compressed, plain);
  }

  private long size(String path, String encoding) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        http.send(
            HttpRequest.newBuilder(url(path)).header("Accept-Encoding", encoding).build(),
            BodyHandlers.ofByteArray());
    if (response.statusCode() != 200) {
      throw new IOException("%s is answered with %d".formatted(path, response.statusCode()));
    }
    return response.body().length;
  }

  private void measureLive(BrowserWindow window) throws IOException, InterruptedException {
    window.open(url("/console/live"));
    window.await(IS_QUIET);
    var _ = window.script("window.longTasks.length = 0");
    double rate = PacedLoad.of(gatebook.mcp(), DENIED_CALL, PER_SECOND, SECONDS).run().perSecond();
    List<Double> longTasks = new ArrayList<>();
    window.script("return window.longTasks").forEach(it -> longTasks.add(it.asDouble()));
    print(
        "%nlive, while %,.0f calls a second are decided for %d s: %d tasks of the main thread over"
            + " 50 ms, the longest %.0f ms",
        rate,
        SECONDS,
        longTasks.size(),
        longTasks.stream().mapToDouble(Double::doubleValue).max().orElse(0));
    print("the page then shows:%n%.600s", window.find("#page").text());
  }
}
