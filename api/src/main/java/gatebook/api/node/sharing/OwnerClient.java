package gatebook.api.node.sharing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.data.OwnerAddress;
import gatebook.api.operator.client.FollowResult;
import gatebook.api.operator.client.OperatorClient;
import gatebook.events.journal.JournalUnreachable;
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

  private final OwnerAddress place;
  private final String token;

  public OwnerClient(OwnerAddress place, String token) {
    this.place = place;
    this.token = token;
  }

  @Override
  public Answer ask(String method, ObjectNode params) {
    Optional<RemoteJournal> met = RemoteJournal.forQuestions(place);
    if (met.isEmpty()) {
      return new Answer.Failed(GONE);
    }
    try (RemoteJournal remoteJournal = met.get()) {
      return remoteJournal
          .ask(token, OperatorClient.message(method, params).getBytes(UTF_8))
          .flatMap(answer -> OperatorClient.answer(new String(answer, UTF_8)))
          .orElseGet(() -> new Answer.Failed("the process that keeps the journal says nothing"));
    } catch (JournalUnreachable _) {
      return new Answer.Failed(GONE);
    }
  }

  @Override
  public FollowResult follow(String query, OptionalLong after, Predicate<String> wantsMore) {
    Optional<OwnerConnection> met = OwnerConnection.to(place, MemberProcess.whoOnlyAsks());
    if (met.isEmpty()) {
      return new FollowResult.Refused(GONE, true);
    }
    try (OwnerConnection ownerConnection = met.get()) {
      ownerConnection.socket().setSoTimeout(SILENCE_MILLIS_MAX);
      Long lastSeen = after.isPresent() ? Long.valueOf(after.getAsLong()) : null;
      ownerConnection.send(WireFormat.asked(1, new OwnerRequest.Follow(token, query, lastSeen)));
      return following(ownerConnection, wantsMore);
    } catch (IOException _) {
      return new FollowResult.Lost();
    }
  }

  private static FollowResult following(
      OwnerConnection ownerConnection, Predicate<String> wantsMore) throws IOException {
    while (true) {
      switch (WireFormat.told(ownerConnection.receive()).message()) {
        case OwnerResponse.Heard(var events) -> {
          if (!new String(events, UTF_8).lines().allMatch(wantsMore)) {
            return new FollowResult.Enough();
          }
        }
        case OwnerResponse.TurnedAway(boolean forNow, var sentence) -> {
          return new FollowResult.Refused(sentence, forNow);
        }
        case OwnerResponse.Over _,
            OwnerResponse.Failed _,
            OwnerResponse.HeadIs _,
            OwnerResponse.Found _,
            OwnerResponse.Wrote _,
            OwnerResponse.Contradicted _,
            OwnerResponse.Said _ -> {
          return new FollowResult.Lost();
        }
      }
    }
  }
}
