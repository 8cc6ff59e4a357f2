package gatebook.api.node.sharing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.data.OwnerAddress;
import gatebook.api.operator.client.FollowResult;
import gatebook.api.operator.client.OperatorClient;
import gatebook.api.rpc.MessageWriter;
import gatebook.events.journal.JournalUnreachable;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** An operator client of the owner of a data directory, which may have no port for operators. */
public final class OwnerClient implements OperatorClient {

  private static final String GONE =
      "the process that owns the journal does not answer: is it running?";

  /** The owner sends a keep-alive every 15 seconds. */
  private static final int IDLE_MILLIS_MAX = 45_000;

  private final OwnerAddress address;
  private final String token;

  public OwnerClient(OwnerAddress address, String token) {
    this.address = address;
    this.token = token;
  }

  @Override
  public Answer call(String method, ObjectNode params) {
    Optional<RemoteJournal> connected = RemoteJournal.connectForQueries(address);
    if (connected.isEmpty()) {
      return new Answer.Failed(GONE);
    }
    try (RemoteJournal remoteJournal = connected.get()) {
      return remoteJournal
          .answerOperator(token, MessageWriter.request("1", method, params.toString()))
          .flatMap(answer -> OperatorClient.parseAnswer(new String(answer, UTF_8)))
          .orElseGet(
              () -> new Answer.Failed("the process that owns the journal sent no valid answer"));
    } catch (JournalUnreachable _) {
      return new Answer.Failed(GONE);
    }
  }

  @Override
  public FollowResult follow(String query, OptionalLong after, Predicate<String> wantsMore) {
    Optional<OwnerConnection> connected = OwnerConnection.open(address, MemberProcess.queryOnly());
    if (connected.isEmpty()) {
      return new FollowResult.Refused(GONE, true);
    }
    try (OwnerConnection ownerConnection = connected.get()) {
      ownerConnection.socket().setSoTimeout(IDLE_MILLIS_MAX);
      Long lastSeen = after.isPresent() ? Long.valueOf(after.getAsLong()) : null;
      ownerConnection.send(WireFormat.request(1, new OwnerRequest.Follow(token, query, lastSeen)));
      return readEvents(ownerConnection, wantsMore);
    } catch (IOException _) {
      return new FollowResult.Lost();
    }
  }

  private static FollowResult readEvents(
      OwnerConnection ownerConnection, Predicate<String> wantsMore) throws IOException {
    while (true) {
      switch (WireFormat.response(ownerConnection.receive()).message()) {
        case OwnerResponse.FollowedEvents(var events) -> {
          if (!new String(events, UTF_8).lines().allMatch(wantsMore)) {
            return new FollowResult.Finished();
          }
        }
        case OwnerResponse.FollowRefused(boolean forNow, var sentence) -> {
          return new FollowResult.Refused(sentence, forNow);
        }
        case OwnerResponse.FollowEnded _,
            OwnerResponse.Failed _,
            OwnerResponse.HeadPosition _,
            OwnerResponse.Found _,
            OwnerResponse.Appended _,
            OwnerResponse.Conflicted _,
            OwnerResponse.KeyFound _,
            OwnerResponse.NoKeys _,
            OwnerResponse.RpcAnswer _ -> {
          return new FollowResult.Lost();
        }
      }
    }
  }
}
