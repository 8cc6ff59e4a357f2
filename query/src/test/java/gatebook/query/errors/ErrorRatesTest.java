package gatebook.query.errors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.MessagesRefused;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import gatebook.events.fault.TaskFault.UnknownSkill;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import gatebook.events.journal.Journal;
import gatebook.query.FollowedJournal;
import gatebook.query.errors.ErrorQueries.ErrorCounts;
import gatebook.query.projection.View;
import gatebook.query.trend.Trend;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rates of faults by agent, skill and code: exact, also after a rebuild and a restart. */
@Timeout(300)
final class ErrorRatesTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:00:00Z");
  private static final Fault TIMEOUT = new UpstreamTimeout("planner", "http://planner", 500);

  private static final ErrorFilter UNTIL_NOW =
      new ErrorFilter(Counted.ERRORS, Optional.empty(), Optional.of(NOW), Map.of());

  @TempDir private Path directory;

  @AutoClose private FollowedJournal followed;
  private Journal journal;
  private ErrorQueries queries;
  private int calls;

  @BeforeEach
  void open() {
    followed = FollowedJournal.in(directory);
    journal = followed.journal();
    follow();
  }

  private void follow() {
    queries = followed.follow(ErrorQueries::follow, it -> it.view().close());
  }

  @Test
  void errorsAreGroupedByAgentSkillAndCode() throws Exception {
    failed("planner", "planner/SendMessage planner/skills/route", TIMEOUT, -32_603, ago(30));
    failed("planner", "planner/SendMessage planner/skills/route", TIMEOUT, -32_603, ago(20));
    failed("planner", "planner/SendMessage", TIMEOUT, -32_603, ago(15));
    failed("writer", "writer/GetTask", TIMEOUT, -32_001, ago(10));
    failed(null, "echo", TIMEOUT, -32_603, ago(5));
    failed(null, null, new UnknownSkill("dance"), -32_602, ago(4));
    failed(Dialect.MCP, null, "echo", TIMEOUT, -32_001, ago(3));

    assertThat(counts(ErrorDimension.AGENT))
        .containsExactly("{agent=planner} 3", "{} 2", "{agent=writer} 1");
    assertThat(counts(ErrorDimension.SKILL))
        .containsExactly("{} 2", "{skill=route} 2", "{skill=dance} 1", "{skill=echo} 1");
    assertThat(counts(ErrorDimension.CODE))
        .containsExactly(
            "{dialect=a2a, code=-32603} 4",
            "{dialect=mcp, code=-32001} 1",
            "{dialect=a2a, code=-32602} 1",
            "{dialect=a2a, code=-32001} 1");
    assertThat(counts(ErrorDimension.AGENT, ErrorDimension.SKILL, ErrorDimension.CODE))
        .containsExactly(
            "{agent=planner, skill=route, dialect=a2a, code=-32603} 2",
            "{skill=dance, dialect=a2a, code=-32602} 1",
            "{skill=echo, dialect=a2a, code=-32603} 1",
            "{agent=writer, dialect=a2a, code=-32001} 1",
            "{agent=planner, dialect=a2a, code=-32603} 1");
  }

  @Test
  void lastHourIsComparedWithTheDayBefore() throws Exception {
    UUID begin = failed("planner", null, TIMEOUT, -32_603, ago(26 * 60));
    failed("planner", null, TIMEOUT, -32_603, ago(25 * 60 + 1));
    for (int minutes : List.of(25 * 60, 24 * 60, 61)) {
      failed("planner", null, TIMEOUT, -32_603, ago(minutes));
    }
    UUID last = begin;
    for (int minute = 60; minute > 50; minute--) {
      last = failed("planner", null, TIMEOUT, -32_603, ago(minute));
    }

    ErrorGroup rate = rates(20, ErrorDimension.AGENT).groups().getFirst();

    assertThat(rate)
        .isEqualTo(
            new ErrorGroup(
                Map.of("agent", "planner"),
                15,
                ago(26 * 60).toString(),
                ago(51).toString(),
                last,
                Trend.RISING,
                new ErrorGroup.Rate(10, 3, 24.0),
                rate.sparkline()));
    assertThat(rate.sparkline()).hasSize(24).startsWith(3L, 1L, 0L).endsWith(0L, 11L);
  }

  @Test
  void onlyTheRecordedPartOfTheDayIsCompared() throws Exception {
    failed("planner", null, TIMEOUT, -32_603, ago(3 * 60));

    ErrorGroup rate = rates(20, ErrorDimension.AGENT).groups().getFirst();

    assertThat(rate.rate()).isEqualTo(new ErrorGroup.Rate(0, 1, 2.0));
  }

  @Test
  void largestGroupsAreShown() throws Exception {
    failed("planner", null, TIMEOUT, -32_603, ago(3));
    failed("writer", null, TIMEOUT, -32_603, ago(2));

    assertThat(rates(1, ErrorDimension.AGENT).more()).isTrue();
    assertThat(rates(1, ErrorDimension.AGENT).groups())
        .extracting(rate -> members(rate))
        .containsExactly("{agent=writer}");
    assertThat(rates(2, ErrorDimension.AGENT).more()).isFalse();
  }

  @Test
  void floodsHaveNoAgent() throws Exception {
    append(
        ago(2),
        new MessagesRefused(
            ago(3),
            ago(2),
            List.of(
                new MessagesRefused.Count(Dialect.A2A, Transport.HTTP, "ParseError", null, 70))));

    assertThat(rates(20, ErrorDimension.AGENT).groups())
        .singleElement()
        .satisfies(rate -> {
          assertThat(members(rate)).isEqualTo("{}");
          assertThat(rate.count()).isEqualTo(70);
          assertThat(rate.lastCallId()).isNull();
        });
  }

  @Test
  void floodIsInTheGroupOfItsFirstRefusals() throws Exception {
    failed(null, null, new ParseError(ParseDefect.SYNTAX, 0L), -32_700, ago(3));
    append(
        ago(2),
        new MessagesRefused(
            ago(3),
            ago(2),
            List.of(
                new MessagesRefused.Count(
                    Dialect.A2A, Transport.HTTP, "ParseError", -32_700, 70))));

    assertThat(rates(20, ErrorDimension.FINGERPRINT).groups())
        .singleElement()
        .satisfies(rate -> assertThat(rate.count()).isEqualTo(71));
  }

  @Test
  void ratesSurviveARebuildFromAnyPositionAndARestart() throws Exception {
    for (int i = 0; i < 5; i++) {
      failed("planner", "planner/SendMessage planner/skills/route", TIMEOUT, -32_603, ago(i + 1));
      failed(null, "echo", TIMEOUT, -32_603, ago(i + 1));
    }
    ErrorDimension[] all =
        Counted.ERRORS.dimensions().stream()
            .filter(dimension -> !dimension.isTime())
            .toArray(ErrorDimension[]::new);
    List<ErrorGroup> before = rates(20, all).groups();

    for (long from = 0; from <= journal.head(); from++) {
      assertThat(queries.view().startRebuild(from)).isInstanceOf(View.RebuildStart.Started.class);
      await().until(() -> queries.view().status().replay() == null);
      assertThat(rates(20, all).groups()).as("from %d", from).isEqualTo(before);
    }
    followed.reopenViews();
    follow();

    assertThat(rates(20, all).groups()).isEqualTo(before);
    assertThat(counts(ErrorDimension.AGENT)).containsExactly("{} 5", "{agent=planner} 5");
  }

  private static Instant ago(long minutes) {
    return NOW.minus(Duration.ofMinutes(minutes));
  }

  /** Those that the errors have. */
  private static String members(ErrorGroup group) {
    Map<String, Object> members = new LinkedHashMap<>(group.members());
    members.values().removeIf(Objects::isNull);
    return members.toString();
  }

  private List<String> counts(ErrorDimension... by) throws InterruptedException {
    return rates(20, by).groups().stream().map(it -> members(it) + " " + it.count()).toList();
  }

  private ErrorCounts rates(int limit, ErrorDimension... by) throws InterruptedException {
    return queries.handle(new CountErrors(UNTIL_NOW, List.of(by), NOW, limit, journal.head()));
  }

  private UUID failed(
      @Nullable String agent, @Nullable String target, Fault fault, int code, Instant at) {
    return failed(Dialect.A2A, agent, target, fault, code, at);
  }

  /** The two events of a call are appended one by one. */
  private UUID failed(
      Dialect dialect,
      @Nullable String agent,
      @Nullable String target,
      Fault fault,
      int code,
      Instant at) {
    UUID call = new UUID(0x0192_0000_0000_7000L + ((long) calls++ << 16), 1);
    append(
        at,
        new CallReceived(
            call,
            "order-1",
            null,
            dialect,
            null,
            Transport.HTTP,
            at,
            "SendMessage",
            "1",
            new Principal("ada", List.of(), Map.of()),
            agent,
            target,
            null,
            null,
            null,
            "rules",
            agent));
    append(
        at,
        new ErrorTranslated(
            call, target, fault, new ErrorResponse(dialect, code, "no", null, 200), 1, null, 3));
    return call;
  }

  private void append(Instant at, Event event) {
    followed.append(at, event);
  }
}
