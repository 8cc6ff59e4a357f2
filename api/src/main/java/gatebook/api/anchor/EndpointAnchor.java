package gatebook.api.anchor;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.SingleMessages;
import gatebook.command.rules.AnchorRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.journal.anchor.CheckpointAnchor;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** An anchor that is an HTTP endpoint. It has a checkpoint when it answers with a status 2xx. */
record EndpointAnchor(
    AnchorRules.Endpoint endpoint, SingleMessages singleMessages, Supplier<GatewayLimits> limits)
    implements CheckpointAnchor {
  private static final int OK = 200;
  private static final int REDIRECT = 300;

  @Override
  public Optional<String> newest() {
    return Optional.empty();
  }

  @Override
  public void add(String note) throws IOException {
    GatewayLimits now = limits.get();
    long millisMax = now.get(Limit.ANCHOR_MILLIS_MAX);
    ExchangeResult result =
        sent(
            new SingleMessages.Message(
                endpoint.url(),
                false,
                "text/plain; charset=utf-8",
                endpoint.headers(),
                note.getBytes(UTF_8)),
            new SingleMessages.Bounds(
                millisMax,
                now.get(Limit.CONNECT_MILLIS_MAX),
                now.getInt(Limit.HEADER_BYTES_MAX),
                now.get(Limit.ANSWER_BYTES_MAX)));
    if (result.failure().isPresent()) {
      throw new IOException(result.failure().get());
    }
    if (result instanceof ExchangeResult.Answered(int status, _, _)
        && (status < OK || status >= REDIRECT)) {
      throw new IOException("it answered with the status " + status);
    }
  }

  private ExchangeResult sent(SingleMessages.Message message, SingleMessages.Bounds bounds)
      throws IOException {
    try {
      return singleMessages
          .send(message, bounds, endpoint.tls())
          .orTimeout(2 * bounds.millisMax(), TimeUnit.MILLISECONDS) // when it is closed meanwhile
          .join();
    } catch (CompletionException e) {
      throw new IOException("nothing can be sent now", e);
    }
  }
}
