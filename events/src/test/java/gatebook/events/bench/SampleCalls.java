package gatebook.events.bench;

import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Action;
import gatebook.events.call.Bytes;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Exposure;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/** Sample calls as the product records them: every third is denied, the others are answered. */
public final class SampleCalls {
  private static final int CALLS_PER_APPEND = 50;
  private static final int APPENDS_PENDING_MAX = 16;
  private static final int TOOLS = 50;
  private static final int PRINCIPALS = 20;
  private static final String RULES = "sha256:" + "0123456789abcdef".repeat(4);
  private static final Digest DIGEST = new Digest("k1-0123456789ab", Bytes.of(new byte[32]));
  public static final String ORIGINAL =
      "{\"name\":\"remove\",\"arguments\":{\"path\":\"%s\"}}".formatted("x".repeat(170));
  private static final JsonValue ARGUMENTS =
      JsonValue.parse(
          """
          {"path":"[path]","recursive":true,"comment":"tidying up after the release of \
          last week"}\
          """);

  public static final KeptContent KEPT_ARGUMENTS = new KeptContent(120, DIGEST, ARGUMENTS, null);
  public static final KeptContent KEPT_RESULT = new KeptContent(480, DIGEST, null, null);

  private static final Kept KEPT = new Kept(KEPT_ARGUMENTS, ORIGINAL);

  private final EventVocabulary eventVocabulary;

  /** Seals content under keys of its own. */
  public SampleCalls() {
    this(MemoryContentKeys.vocabulary());
  }

  public SampleCalls(EventVocabulary eventVocabulary) {
    this.eventVocabulary = eventVocabulary;
  }

  /** Appends the calls from {@code from} up to {@code to}. */
  public void fill(Journal journal, int from, int to) {
    fill(journal, from, to, this::call);
  }

  /** Appends calls of any kind, each made of its number. */
  public static void fill(Journal journal, int from, int to, IntFunction<List<DraftEvent>> calls) {
    Queue<CompletableFuture<Append>> pending = new ArrayDeque<>();
    for (int call = from; call < to; call += CALLS_PER_APPEND) {
      List<DraftEvent> drafts = new ArrayList<>();
      for (int each = call; each < Math.min(to, call + CALLS_PER_APPEND); each++) {
        drafts.addAll(calls.apply(each));
      }
      pending.add(journal.append(ConflictCondition.none(), drafts));
      if (pending.size() == APPENDS_PENDING_MAX) {
        awaitStored(pending.remove());
      }
    }
    pending.forEach(SampleCalls::awaitStored);
  }

  private static long awaitStored(CompletableFuture<Append> append) {
    return position(append.join());
  }

  public static long position(Append append) {
    if (append instanceof Append.Stored stored) {
      return stored.last();
    }
    throw new IllegalStateException("not stored: " + append);
  }

  public List<DraftEvent> call(int number) {
    Instant at = Instant.now();
    return events(number, at).stream().map(event -> eventVocabulary.draft(event, at)).toList();
  }

  /** The id of the call with a number: as the product's, its first half is a time. */
  public static UUID id(int number) {
    long random = (number * 0x9E37_79B9_7F4A_7C15L) >>> 2;
    return new UUID(
        0x0192_0000_0000_7000L + ((long) number << 16), 0x8000_0000_0000_0000L | random);
  }

  /** The correlation id of the call with a number. */
  public static String correlation(int number) {
    return "order-" + number;
  }

  /** The events of the call with a number. */
  public static List<Event> events(int number, Instant at) {
    return events(number, isDenied(number), id(number), "agent-" + number % PRINCIPALS, at, KEPT);
  }

  /** What is kept of the arguments of a call. */
  public record Kept(KeptContent arguments, String original) {}

  /** Arguments with a text of so many characters. */
  public static Kept kept(int chars) {
    String text = "order ".repeat(chars / 6 + 1).substring(0, chars);
    return new Kept(
        new KeptContent(
            chars, DIGEST, JsonValue.parse("{\"comment\":\"%s\"}".formatted(text)), null),
        "{\"name\":\"remove\",\"arguments\":{\"comment\":\"%s\"}}".formatted(text));
  }

  /** Every third call is denied. */
  public static boolean isDenied(int number) {
    return number % 3 == 0;
  }

  /** The events of a call. */
  public static List<Event> events(
      int number, boolean isDenied, UUID call, String principal, Instant at, Kept kept) {
    String tool = "tool_" + number % TOOLS;
    CallReceived received = received(number, call, tool, principal, at, kept);
    Ruling seen = new Ruling.Visibility(new Verdict.Pass(), Exposure.ALL, null, 3);
    return isDenied
        ? List.of(received, denied(call, tool, principal, seen), translated(number, call, tool))
        : List.of(
            received,
            new CallAdmitted(
                call,
                RULES,
                List.of(
                    seen,
                    new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, null, null, 2))),
            new CallForwarded(call, 1, "files", "http://127.0.0.1:9000/mcp", 30_000, null),
            new CallAnswered(call, CallAnswered.Outcome.SUCCESS, KEPT_RESULT, 1, 4L, 5));
  }

  private static CallReceived received(
      int number, UUID call, String tool, String principal, Instant at, Kept kept) {
    return ReceivedCall.of(call, at)
        .correlation(correlation(number))
        .in(Dialect.MCP, "2025-11-25")
        .rpcId(Integer.toString(number))
        .by(new Principal(principal, List.of("developer"), Map.of("team", "blue")))
        .to("files", tool)
        .with(kept.arguments, kept.original)
        .under(RULES)
        .event();
  }

  private static GateDenied denied(UUID call, String tool, String principal, Ruling seen) {
    return new GateDenied(
        call,
        RULES,
        tool,
        principal,
        List.of(
            seen,
            new Ruling.Governance(
                new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 3, "tool_*", 2)));
  }

  private static ErrorTranslated translated(int number, UUID call, String tool) {
    return new ErrorTranslated(
        call,
        tool,
        new Denied.GovernanceRuleDenied(tool, "tool_*", false),
        new ErrorResponse(
            Dialect.MCP,
            -32_014,
            "Governance rule denied",
            JsonValue.parse(
                """
                {"correlation_id":"%s","gate":"governance","tool":"%s"}\
                """
                    .formatted(correlation(number), tool)),
            200),
        0,
        null,
        1);
  }
}
