package gatebook.api.border;

import static java.util.stream.Collectors.toUnmodifiableMap;

import gatebook.api.rpc.Message;
import gatebook.api.upstream.Upstream;
import gatebook.command.CallId;
import gatebook.command.Telling;
import gatebook.command.keep.Keeper;
import gatebook.events.call.Dialect;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.jspecify.annotations.Nullable;

/**
 * Takes every message, and gives each its one reply, after what the reply says is recorded.
 *
 * <p>The futures never fail: whatever goes wrong in here, the caller is told so in its dialect.
 */
public final class Border {

  private static final Principal ANYBODY = new Principal("anonymous", List.of(), Map.of());

  private final CallId callIds;
  private final Map<Dialect, Methods> methods;
  private final Tools tools;

  /** What every passage works with. */
  record Tools(
      Decisions decisions,
      Upstream upstream,
      Keeper keeper,
      Telling telling,
      ErrorBook errors,
      InstantSource clock) {}

  /** Serves the dialects of the methods given. */
  public Border(
      CommandGateway commands,
      List<Methods> methods,
      Upstream upstream,
      Keeper keeper,
      Telling telling,
      ErrorBook errors,
      InstantSource clock) {
    this.callIds = new CallId(clock);
    this.methods =
        methods.stream().collect(toUnmodifiableMap(Methods::dialect, Function.identity()));
    this.tools = new Tools(new Decisions(commands), upstream, keeper, telling, errors, clock);
  }

  public CompletableFuture<Reply> serve(Dialect dialect, Incoming incoming) {
    return passage(dialect, incoming).reply();
  }

  /**
   * The reply to a message that a fault of ours kept from being taken in.
   *
   * @param correlationId what the caller wants it to be called, unchecked
   * @param dialectVersion the version of the dialect that the caller says it speaks, unchecked
   */
  public CompletableFuture<Reply> failed(
      Dialect dialect,
      Throwable failure,
      Transport transport,
      Caller caller,
      @Nullable String correlationId,
      @Nullable String dialectVersion) {
    Message nothing = new Message.Unreadable(new ParseError(ParseDefect.EMPTY, null), null);
    Incoming unread =
        new Incoming(nothing, 0, transport, caller, correlationId, null, dialectVersion);
    return passage(dialect, unread).failed(failure);
  }

  private Passage passage(Dialect dialect, Incoming incoming) {
    Methods spoken = Objects.requireNonNull(methods.get(dialect), "a dialect not spoken here");
    return new Passage(tools, spoken, ANYBODY, incoming, Names.of(callIds.next(), incoming));
  }
}
