package gatebook.query;

import static gatebook.events.bench.Bench.print;

import gatebook.events.bench.Bench;
import gatebook.events.bench.SampleCalls;
import gatebook.events.bench.Table;
import gatebook.events.bench.Times;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.query.call.CallStatus;
import gatebook.query.call.CallView;
import gatebook.query.calls.CallFilter;
import gatebook.query.calls.CallQueries;
import gatebook.query.calls.FindActivation;
import gatebook.query.calls.FindCallRows;
import gatebook.query.calls.FindCalls;
import gatebook.query.calls.ListCalls;
import gatebook.query.calls.ListRuleChanges;
import gatebook.query.calls.LookupResult;
import gatebook.query.errors.CountErrors;
import gatebook.query.errors.Counted;
import gatebook.query.errors.ErrorDimension;
import gatebook.query.errors.ErrorFilter;
import gatebook.query.errors.ErrorQueries;
import gatebook.query.errors.ListErrors;
import gatebook.query.projection.ColumnFilter;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import gatebook.query.proof.InclusionProof;
import gatebook.query.proof.ProveCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The queries of the console's pages, in a few minutes: pages of calls by each filter, and what
 * else a page asks, beside a million calls.
 */
final class PagesBench {
  private static final int CALLS = Bench.QUICK ? 40_000 : 1_000_000;
  private static final int TIMES = Bench.QUICK ? 20 : 500;

  /** Counts of denials and errors read all rows of a time span. */
  private static final int COUNTED_TIMES = Bench.QUICK ? 3 : 30;

  private static final int PAGE = 100;

  private final SplittableRandom random = new SplittableRandom(1);
  private final Table table = new Table("what", "p50 ms", "p99 ms", "max ms");
  private final Journal journal;
  private final Views views;

  private PagesBench(Journal journal, Views views) {
    this.journal = journal;
    this.views = views;
  }

  static void measure(Bench bench) throws Exception {
    try (Journal journal = Journals.opened(Journals.inSegments(bench.directory()));
        ViewFile file =
            ((ViewFile.Opening.Opened) ViewFile.open(bench.directory().resolve("views"))).views();
        Views views = Views.follow(file, journal, MemoryContentKeys.vocabulary())) {
      new PagesBench(journal, views).run();
    }
  }

  private void run() throws Exception {
    SampleCalls.fill(journal, 0, CALLS, new VariedCalls()::call);
    for (View view : views.all()) {
      view.await(journal.head(), Long.MAX_VALUE / 2_000_000);
    }
    print("%n%d calls, %d events%n", CALLS, journal.head());
    for (Map.Entry<String, CallFilter> filter : filters().entrySet()) {
      measure("calls: " + filter.getKey(), () -> page(filter.getValue()));
    }
    measure("calls: the same, any later page", this::anyLaterPage);
    measure("a call by its id", this::lookup);
    measure("rows of 100 calls", this::rows);
    measure("changes of the rules", this::ruleChanges);
    measure("rules of a call", this::rules);
    measure("proof of a call, the first", 0, 1, this::prove);
    measure("proof of a call", this::prove);
    measureCounts();
    print("%s", table);
  }

  private void measureCounts() throws Exception {
    Instant hourAgo = last().minus(Duration.ofHours(1));
    measure("denials of an hour by minute", COUNTED_TIMES / 5, COUNTED_TIMES, () -> count(hourAgo));
    measure("denied calls of an hour", COUNTED_TIMES / 5, COUNTED_TIMES, () -> denied(hourAgo));
    measure("errors of an hour", COUNTED_TIMES / 5, COUNTED_TIMES, () -> errors(hourAgo));
    measure("failed calls of an hour", COUNTED_TIMES / 5, COUNTED_TIMES, () -> failed(hourAgo));
    measure(
        "all denials by minute", COUNTED_TIMES / 5, COUNTED_TIMES, () -> count(VariedCalls.BEGIN));
    measure("all denied calls", COUNTED_TIMES / 5, COUNTED_TIMES, () -> denied(VariedCalls.BEGIN));
    measure("all errors", COUNTED_TIMES / 5, COUNTED_TIMES, () -> errors(VariedCalls.BEGIN));
    measure("all failed calls", COUNTED_TIMES / 5, COUNTED_TIMES, () -> failed(VariedCalls.BEGIN));
  }

  private static Instant last() {
    return VariedCalls.at(CALLS);
  }

  private static Map<String, CallFilter> filters() {
    Map<String, CallFilter> filters = new TreeMap<>();
    filters.put("no filter", CallFilter.ALL);
    filters.put("status, frequent", new Filters().status(CallStatus.ANSWERED).filter());
    filters.put("status, rare", new Filters().status(CallStatus.FAILED).filter());
    filters.put("status, open", new Filters().status(CallStatus.HELD).filter());
    filters.put("status, never", new Filters().status(CallStatus.ORPHANED).filter());
    filters.put("gate, frequent", new Filters().gate(Gate.GOVERNANCE).filter());
    filters.put("gate, rare", new Filters().gate(Gate.VISIBILITY).filter());
    filters.put("dialect, frequent", new Filters().dialect(Dialect.MCP).filter());
    filters.put("dialect, rare", new Filters().dialect(Dialect.FLOW).filter());
    filters.put("method, frequent", new Filters().method("tools/call").filter());
    filters.put("method, rare", new Filters().method(VariedCalls.RARE_METHOD).filter());
    filters.put("tool, one of 50", new Filters().target("tool_7").filter());
    filters.put("tool, rare", new Filters().target(VariedCalls.RARE_TOOL).filter());
    filters.put("tool, never", new Filters().target("no_tool").filter());
    filters.put("principal, one of 20", new Filters().principal("agent-7").filter());
    filters.put("principal, rare", new Filters().principal(VariedCalls.RARE_PRINCIPAL).filter());
    filters.put("code, frequent", new Filters().code(-32_014).filter());
    filters.put("code, rare", new Filters().code(VariedCalls.RARE_CODE).filter());
    filters.put("fault, frequent", new Filters().fault("GovernanceRuleDenied").filter());
    filters.put("fault, rare", new Filters().fault("UpstreamTimeout").filter());
    filters.put("correlation id", new Filters().correlation(SampleCalls.correlation(9)).filter());
    filters.put("since, a minute", new Filters().since(last().minusSeconds(60)).filter());
    filters.put("since, the beginning", new Filters().since(VariedCalls.BEGIN).filter());
    filters.put("until, long ago", new Filters().until(VariedCalls.at(1_000)).filter());
    filters.put(
        "since and until, a minute",
        new Filters()
            .since(VariedCalls.at(CALLS / 2))
            .until(VariedCalls.at(CALLS / 2).plusSeconds(60))
            .filter());
    filters.put(
        "status denied, tool and principal",
        new Filters().status(CallStatus.DENIED).target("tool_7").principal("agent-7").filter());
    return filters;
  }

  private void measure(String name, Bench.Work question) throws Exception {
    measure(name, TIMES / 5, TIMES, question);
  }

  private void measure(String name, int warmUps, int times, Bench.Work question) throws Exception {
    Times measured = Times.measure(warmUps, times, question);
    table.add(
        name,
        millis(measured.millis(0.5)),
        millis(measured.millis(0.99)),
        millis(measured.millis(1)));
  }

  private static String millis(double millis) {
    return "%.1f".formatted(millis);
  }

  private void page(CallFilter filter) throws InterruptedException {
    CallQueries.Page _ = page(filter, OptionalLong.empty());
  }

  private CallQueries.Page page(CallFilter filter, OptionalLong before)
      throws InterruptedException {
    return views.queries().send(new ListCalls(filter, before, PAGE, 0), CallQueries.Page.class);
  }

  private void anyLaterPage() throws InterruptedException {
    CallQueries.Page _ =
        page(
            new Filters().target("tool_7").filter(),
            OptionalLong.of(1 + random.nextLong(journal.head())));
  }

  private void lookup() throws InterruptedException {
    LookupResult _ =
        views
            .queries()
            .send(new FindCalls(anyCall().toString(), 0, Optional.empty()), LookupResult.class);
  }

  private UUID anyCall() {
    return VariedCalls.id(random.nextInt(CALLS));
  }

  private void rows() throws InterruptedException {
    List<UUID> calls = random.ints(PAGE, 0, CALLS).mapToObj(VariedCalls::id).toList();
    CallQueries.FoundCallRows _ =
        views.queries().send(new FindCallRows(calls, 0), CallQueries.FoundCallRows.class);
  }

  private void ruleChanges() throws InterruptedException {
    CallQueries.RuleChangePage _ =
        views
            .queries()
            .send(
                new ListRuleChanges(OptionalLong.empty(), PAGE), CallQueries.RuleChangePage.class);
  }

  private void rules() throws InterruptedException {
    CallQueries.FoundActivation _ =
        views
            .queries()
            .send(
                new FindActivation(VariedCalls.RULES, random.nextLong(journal.head())),
                CallQueries.FoundActivation.class);
  }

  /** Proves a call; before the first proof the whole tree is read, which takes several attempts. */
  private void prove() throws InterruptedException {
    InclusionProof proof;
    do {
      proof = views.queries().send(new ProveCall(anyCall()), InclusionProof.class);
    } while (proof instanceof InclusionProof.BeingRead);
    if (!(proof instanceof InclusionProof.Proven)) {
      throw new IllegalStateException("not proven: " + proof);
    }
  }

  private void count(Instant since) throws InterruptedException {
    count(
        filter(Counted.DENIALS, since, Map.of()),
        1_000,
        ErrorDimension.MINUTE,
        ErrorDimension.GATE);
  }

  private void errors(Instant since) throws InterruptedException {
    count(filter(Counted.ERRORS, since, Map.of()), PAGE);
  }

  private void count(ErrorFilter filter, int limit, ErrorDimension... by)
      throws InterruptedException {
    ErrorQueries.ErrorCounts _ =
        views
            .queries()
            .send(
                new CountErrors(filter, List.of(by), last(), limit, 0),
                ErrorQueries.ErrorCounts.class);
  }

  /** A page of denied calls, with their rows. */
  private void denied(Instant since) throws InterruptedException {
    list(
        filter(
            Counted.DENIALS,
            since,
            Map.of(
                "gate", new ColumnFilter.Exactly(Gate.GOVERNANCE.word()),
                "tool", new ColumnFilter.Exactly("tool_6"))));
  }

  private void failed(Instant since) throws InterruptedException {
    list(
        filter(
            Counted.ERRORS,
            since,
            Map.of(
                "fault", new ColumnFilter.Exactly("GovernanceRuleDenied"),
                "target", new ColumnFilter.Exactly("tool_6"))));
  }

  private void list(ErrorFilter filter) throws InterruptedException {
    ErrorQueries.ErrorPage page =
        views
            .queries()
            .send(
                new ListErrors(filter, OptionalLong.empty(), PAGE, 0),
                ErrorQueries.ErrorPage.class);
    rows(page.errors().stream().flatMap(it -> Optional.ofNullable(it.callId()).stream()).toList());
  }

  private static ErrorFilter filter(
      Counted counted, Instant since, Map<String, ColumnFilter> members) {
    return new ErrorFilter(counted, Optional.of(since), Optional.empty(), members);
  }

  private void rows(List<UUID> calls) throws InterruptedException {
    Map<UUID, CallView> rows =
        views.queries().send(new FindCallRows(calls, 0), CallQueries.FoundCallRows.class).calls();
    if (rows.size() != calls.size()) {
      throw new IllegalStateException("rows are missing");
    }
  }

  /** Builds a filter. */
  private static final class Filters {
    private Optional<CallStatus> status = Optional.empty();
    private Optional<Gate> gate = Optional.empty();
    private Optional<Dialect> dialect = Optional.empty();
    private Optional<String> method = Optional.empty();
    private Optional<String> target = Optional.empty();
    private Optional<String> principal = Optional.empty();
    private Optional<Integer> code = Optional.empty();
    private Optional<String> fault = Optional.empty();
    private Optional<String> correlation = Optional.empty();
    private Optional<Instant> since = Optional.empty();
    private Optional<Instant> until = Optional.empty();

    Filters status(CallStatus value) {
      status = Optional.of(value);
      return this;
    }

    Filters gate(Gate value) {
      gate = Optional.of(value);
      return this;
    }

    Filters dialect(Dialect value) {
      dialect = Optional.of(value);
      return this;
    }

    Filters method(String value) {
      method = Optional.of(value);
      return this;
    }

    Filters target(String value) {
      target = Optional.of(value);
      return this;
    }

    Filters principal(String value) {
      principal = Optional.of(value);
      return this;
    }

    Filters code(Integer value) {
      code = Optional.of(value);
      return this;
    }

    Filters fault(String value) {
      fault = Optional.of(value);
      return this;
    }

    Filters correlation(String value) {
      correlation = Optional.of(value);
      return this;
    }

    Filters since(Instant value) {
      since = Optional.of(value);
      return this;
    }

    Filters until(Instant value) {
      until = Optional.of(value);
      return this;
    }

    CallFilter filter() {
      return new CallFilter(
          status, gate, dialect, method, target, principal, code, fault, correlation, since, until);
    }
  }
}
