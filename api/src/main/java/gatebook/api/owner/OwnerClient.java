package gatebook.api.owner;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.data.Rendezvous;
import gatebook.api.operator.Following;
import gatebook.api.operator.OperatorClient;
import gatebook.events.journal.BookOutOfReach;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** Asks the process that owns a data directory, which need not have a port for operators. */
public final class OwnerClient implements OperatorClient {

  private static final String GONE =
      "the process that keeps the journal does not answer: is it running?";

  /** Owners say something every 15 seconds. */
  private static final int SILENCE_MILLIS_MAX = 45_000;

  private final Rendezvous place;
  private final String token;

  public OwnerClient(Rendezvous place, String token) {
    this.place = place;
    this.token = token;
  }

  @Override
  public Answer ask(String method, ObjectNode params) {
    Optional<Link> met = Link.forQuestions(place);
    if (met.isEmpty()) {
      return new Answer.Failed(GONE);
    }
    try (Link link = met.get()) {
      return link.ask(token, OperatorClient.message(method, params).getBytes(UTF_8))
          .flatMap(answer -> OperatorClient.answer(new String(answer, UTF_8)))
          .orElseGet(() -> new Answer.Failed("the process that keeps the journal says nothing"));
    } catch (BookOutOfReach _) {
      return new Answer.Failed(GONE);
    }
  }

  @Override
  public Following follow(String query, OptionalLong after, Predicate<String> wantsMore) {
    Optional<Connection> met = Connection.to(place, Member.whoOnlyAsks());
    if (met.isEmpty()) {
      return new Following.Refused(GONE, true);
    }
    try (Connection connection = met.get()) {
      connection.socket().setSoTimeout(SILENCE_MILLIS_MAX);
      Long lastSeen = after.isPresent() ? Long.valueOf(after.getAsLong()) : null;
      connection.send(Wire.asked(1, new Asked.Follow(token, query, lastSeen)));
      return following(connection, wantsMore);
    } catch (IOException _) {
      return new Following.Lost();
    }
  }

  private static Following following(Connection connection, Predicate<String> wantsMore)
      throws IOException {
    while (true) {
      switch (Wire.told(connection.receive()).message()) {
        case Told.Heard(var events) -> {
          if (!new String(events, UTF_8).lines().allMatch(wantsMore)) {
            return new Following.Enough();
          }
        }
        case Told.TurnedAway(boolean forNow, var sentence) -> {
          return new Following.Refused(sentence, forNow);
        }
        case Told.Over _,
            Told.Failed _,
            Told.HeadIs _,
            Told.Found _,
            Told.Wrote _,
            Told.Contradicted _,
            Told.Said _ -> {
          return new Following.Lost();
        }
      }
    }
  }
}
