package gatebook.query;

import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.bench.SampleCalls;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Exposure;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.call.Transport;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.journal.DraftEvent;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Calls of which some are rare: one of 10,000 has a tool, a principal, a method, a dialect, a
 * fault, a gate and a status that no other has. One call is received each 100 ms.
 */
final class VariedCalls {
  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  static final String RARE_TOOL = "rare_tool";
  static final String RARE_PRINCIPAL = "rare-agent";
  static final String RARE_METHOD = "prompts/get";
  static final int RARE_CODE = -32_001;
  static final String RULES = "sha256:" + "0123456789abcdef".repeat(4);

  private static final int RARE_EACH = 10_000;
  private static final long MILLIS_BETWEEN = 100;
  private static final int TOOLS = 50;
  private static final int PRINCIPALS = 20;

  private final EventVocabulary eventVocabulary = MemoryContentKeys.vocabulary();

  static UUID id(int number) {
    return new UUID(
        0x0192_0000_0000_7000L + ((long) number << 16), 0x8000_0000_0000_0000L + number);
  }

  static Instant at(int number) {
    return BEGIN.plusMillis(MILLIS_BETWEEN * number);
  }

  List<DraftEvent> call(int number) {
    Instant at = at(number);
    return events(number).stream().map(event -> eventVocabulary.draft(event, at)).toList();
  }

  private static List<Event> events(int number) {
    UUID call = id(number);
    if (number % RARE_EACH == 7) {
      return rare(number, call);
    }
    String tool = "tool_" + number % TOOLS;
    String principal = "agent-" + number % PRINCIPALS;
    CallReceived received = received(number, call, Dialect.MCP, "tools/call", principal, tool);
    if (number % 3 == 0) {
      Fault fault = new Denied.GovernanceRuleDenied(tool, "tool_*", false);
      return List.of(
          received,
          denied(
              call,
              tool,
              principal,
              new Ruling.Governance(
                  new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 3, "tool_*", 2)),
          translated(call, tool, fault, Dialect.MCP, -32_014));
    }
    return List.of(
        received,
        new CallAdmitted(call, RULES, List.of()),
        new CallForwarded(call, 1, "files", "http://127.0.0.1:9000/mcp", 30_000, null),
        new CallAnswered(call, CallAnswered.Outcome.SUCCESS, SampleCalls.KEPT_RESULT, 1, 4L, 5));
  }

  /** In turn a denial by the gate visibility, an upstream that is late, and an open call. */
  private static List<Event> rare(int number, UUID call) {
    CallReceived received =
        received(number, call, Dialect.FLOW, RARE_METHOD, RARE_PRINCIPAL, RARE_TOOL);
    return switch (number / RARE_EACH % 3) {
      case 0 ->
          List.of(
              received,
              denied(
                  call,
                  RARE_TOOL,
                  RARE_PRINCIPAL,
                  new Ruling.Visibility(
                      new Verdict.Deny(DenialReason.NOT_EXPOSED, null),
                      Exposure.ALLOWLIST,
                      null,
                      2)),
              translated(
                  call,
                  RARE_TOOL,
                  new Denied.ToolNotExposed(RARE_TOOL, "files"),
                  Dialect.FLOW,
                  -32_015));
      case 1 ->
          List.of(
              received,
              new CallAdmitted(call, RULES, List.of()),
              new CallForwarded(call, 1, "files", "http://127.0.0.1:9000/mcp", 30_000, null),
              translated(
                  call,
                  RARE_TOOL,
                  new UpstreamFault.UpstreamTimeout("files", "http://127.0.0.1:9000", 30_000),
                  Dialect.FLOW,
                  RARE_CODE));
      default -> List.of(received, new CallAdmitted(call, RULES, List.of()));
    };
  }

  private static CallReceived received(
      int number, UUID call, Dialect dialect, String method, String principal, String tool) {
    return new CallReceived(
        call,
        SampleCalls.correlation(number),
        null,
        dialect,
        null,
        Transport.HTTP,
        at(number),
        method,
        Integer.toString(number),
        new Principal(principal, List.of("developer"), Map.of("team", "blue")),
        "files",
        tool,
        null,
        SampleCalls.KEPT_ARGUMENTS,
        SampleCalls.ORIGINAL,
        RULES);
  }

  private static GateDenied denied(UUID call, String tool, String principal, Ruling ruling) {
    return new GateDenied(call, RULES, tool, principal, List.of(ruling));
  }

  private static ErrorTranslated translated(
      UUID call, String tool, Fault fault, Dialect dialect, int code) {
    return new ErrorTranslated(
        call, tool, fault, new ErrorResponse(dialect, code, "no", null, 200), 0, null, 1);
  }
}
