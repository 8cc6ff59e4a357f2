package gatebook.events;

import gatebook.events.call.Dialect;
import gatebook.events.call.KeptContent;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A call that a test has received: a tool call of alice, in MCP over HTTP, unless it says else. */
public final class ReceivedCall {
  private final UUID callId;
  private final Instant receivedAt;
  private String correlationId = "order-7";
  private @Nullable String traceId;
  private Dialect dialect = Dialect.MCP;
  private @Nullable String dialectVersion;
  private String method = "tools/call";
  private @Nullable String rpcId = "1";
  private Principal principal = principal("alice");
  private @Nullable String source;
  private @Nullable String target;
  private @Nullable String taskId;
  private @Nullable KeptContent arguments;
  private @Nullable String original;
  private String rulesHash = "rules";

  private ReceivedCall(UUID callId, Instant receivedAt) {
    this.callId = callId;
    this.receivedAt = receivedAt;
  }

  public static ReceivedCall of(UUID callId, Instant receivedAt) {
    return new ReceivedCall(callId, receivedAt);
  }

  private static Principal principal(String name) {
    return new Principal(name, List.of(), Map.of());
  }

  public ReceivedCall correlation(String id) {
    correlationId = id;
    return this;
  }

  public ReceivedCall trace(@Nullable String id) {
    traceId = id;
    return this;
  }

  public ReceivedCall in(Dialect of, @Nullable String version) {
    dialect = of;
    dialectVersion = version;
    return this;
  }

  public ReceivedCall method(String name) {
    method = name;
    return this;
  }

  public ReceivedCall rpcId(@Nullable String token) {
    rpcId = token;
    return this;
  }

  public ReceivedCall by(String principalName) {
    return by(principal(principalName));
  }

  public ReceivedCall by(Principal caller) {
    principal = caller;
    return this;
  }

  public ReceivedCall to(@Nullable String sourceName, @Nullable String targetName) {
    source = sourceName;
    target = targetName;
    return this;
  }

  public ReceivedCall task(@Nullable String id) {
    taskId = id;
    return this;
  }

  public ReceivedCall with(@Nullable KeptContent keptArguments, @Nullable String message) {
    arguments = keptArguments;
    original = message;
    return this;
  }

  public ReceivedCall under(String hash) {
    rulesHash = hash;
    return this;
  }

  public CallReceived event() {
    return new CallReceived(
        callId,
        correlationId,
        traceId,
        dialect,
        dialectVersion,
        Transport.HTTP,
        receivedAt,
        method,
        rpcId,
        principal,
        source,
        target,
        taskId,
        arguments,
        original,
        rulesHash,
        null,
        null,
        null);
  }
}
