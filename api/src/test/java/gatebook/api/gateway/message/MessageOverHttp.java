package gatebook.api.gateway.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.rpc.MessageReader;
import gatebook.events.call.Transport;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A message as it comes over HTTP from this machine, with correlation id {@code c}; and its reply.
 */
public final class MessageOverHttp {

  private MessageOverHttp() {}

  public static IncomingMessage of(
      String message, CallerConnection callerConnection, String... tokens) {
    byte[] bytes = message.getBytes(UTF_8);
    List<String> authorization = Stream.of(tokens).map(it -> "Bearer " + it).toList();
    return new IncomingMessage(
        new MessageReader(MessageReader.DEPTH_MAX).read(bytes),
        bytes.length,
        Transport.HTTP,
        new Caller(authorization, true, callerConnection),
        "c",
        null,
        null,
        ClientChannel.NONE,
        Map.of());
  }

  /** Waits for the reply. */
  public static String body(CompletableFuture<Reply> reply) {
    return new String(Objects.requireNonNull(reply.join().body()), UTF_8);
  }
}
