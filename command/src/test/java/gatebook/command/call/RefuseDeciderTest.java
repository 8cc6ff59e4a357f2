package gatebook.command.call;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.DIALECT_VERSION;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.TRANSLATOR;
import static gatebook.command.GivenCall.errorResponse;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.MessageRefused;
import gatebook.events.MessagesRefused;
import gatebook.events.MessagesRefused.Count;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed.BatchNotSupported;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RefuseDeciderTest {

  private static final Fault FAULT = new BatchNotSupported();

  @Test
  void aRefusalRecordsResponseAndReadableParts() {
    assertThat(new RefuseDecider(TRANSLATOR).decide(refuse("ada", "\"7\"")))
        .isEqualTo(new Decision<>(List.of(refused("ada", "\"7\"")), errorResponse(FAULT)));
  }

  @Test
  void anUnreadableMessageIsRecordedToo() {
    assertThat(new RefuseDecider(TRANSLATOR).decide(refuse(null, null)))
        .isEqualTo(new Decision<>(List.of(refused(null, null)), errorResponse(FAULT)));
  }

  @Test
  void countedMessagesAreOneEvent() {
    List<Count> counts = List.of(new Count(Dialect.FLOW, Transport.HTTP, "TooDeep", null, 7));

    assertThat(RefuseMessages.decide(new RefuseMessages(NOON, NOON.plusSeconds(1), counts)))
        .isEqualTo(
            new Decision<>(List.of(new MessagesRefused(NOON, NOON.plusSeconds(1), counts)), true));
  }

  private static RefuseMessage refuse(@Nullable String principal, @Nullable String rpcId) {
    return new RefuseMessage(
        CALL, "c-1", DIALECT_VERSION, Transport.LINES, principal, rpcId, 12, FAULT);
  }

  private static MessageRefused refused(@Nullable String principal, @Nullable String rpcId) {
    return new MessageRefused(
        CALL,
        "c-1",
        Dialect.MCP,
        Transport.LINES,
        principal,
        rpcId,
        12,
        FAULT,
        errorResponse(FAULT));
  }
}
