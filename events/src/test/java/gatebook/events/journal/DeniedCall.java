package gatebook.events.journal;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.axonframework.eventsourcing.annotation.EventTag;

/** The two events of a call that a gate denies, as large as real ones. */
public final class DeniedCall {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final AtomicLong LAST_MILLIS_AND_COUNT = new AtomicLong();
  private static final String RULES_HASH = hex(32);

  private DeniedCall() {}

  /** The received call. */
  public record Received(
      @EventTag(key = "call") String callId,
      String correlationId,
      String dialect,
      String dialectVersion,
      String transport,
      String method,
      String jsonRpcId,
      String principal,
      String source,
      String target,
      Map<String, String> arguments,
      String sealedArguments,
      String rulesHash) {}

  /** The denial and the error response. */
  public record Denied(
      @EventTag(key = "call") String callId,
      String correlationId,
      String gate,
      String fault,
      String rule,
      List<String> reasons,
      String target,
      Told told,
      String rulesHash) {}

  public record Told(String dialect, int code, String message, Map<String, String> data) {}

  /**
   * A time-ordered id: 48 bits of milliseconds, 12 bits that count within one, then random bits.
   */
  public static String newCallId() {
    long ticks =
        LAST_MILLIS_AND_COUNT.updateAndGet(
            last -> Math.max(last + 1, System.currentTimeMillis() << 12));
    long high = (ticks >>> 12) << 16 | 0x7000 | (ticks & 0xfff);
    long low = 0x8000_0000_0000_0000L | (RANDOM.nextLong() >>> 2);
    return new UUID(high, low).toString();
  }

  public static Received received(String callId) {
    return new Received(
        callId,
        correlationId(callId),
        "mcp",
        "2025-11-25",
        "http",
        "tools/call",
        "4711",
        "build-agent-7",
        "warehouse",
        "delete_user",
        Map.of("user_id", "u-102934", "reason", "duplicate account", "token", "[redacted]"),
        Base64.getEncoder().encodeToString(bytes(96)),
        RULES_HASH);
  }

  public static Denied denied(String callId) {
    String correlationId = correlationId(callId);
    return new Denied(
        callId,
        correlationId,
        "governance",
        "GovernanceRuleDenied",
        "warehouse-deletions-need-a-person",
        List.of("rule 3 of source warehouse: delete_* is denied outside office hours"),
        "delete_user",
        new Told(
            "mcp",
            -32014,
            "the call to delete_user was denied by governance: ask an operator to allow it",
            Map.of("correlation_id", correlationId, "gate", "governance", "tool", "delete_user")),
        RULES_HASH);
  }

  private static String correlationId(String callId) {
    return callId.replace("-", "");
  }

  private static String hex(int count) {
    return HexFormat.of().formatHex(bytes(count));
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    RANDOM.nextBytes(bytes);
    return bytes;
  }
}
