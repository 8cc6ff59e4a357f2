package gatebook.api.operator.methods;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.gateway.message.CredentialMask;
import gatebook.api.rpc.MessageWriter;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAbandoned;
import gatebook.events.CallEvent;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.MessageRefused;
import gatebook.events.TaskCreated;
import gatebook.events.call.Erasable;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Transport;
import gatebook.events.fault.Malformed;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The error that a caller was told, written again from the events of its call by the writer that
 * wrote the response.
 *
 * <p>It is empty where the events do not say exactly what the caller got: where the id of its
 * message was masked or cut in the journal, where its content was erased, where a task fetched the
 * outcome later, where the caller was gone, and where the gateway itself made the call.
 */
final class ToldError {
  private ToldError() {}

  static Optional<String> of(List<CallEvent> events) {
    return events.stream().anyMatch(ToldError::leavesResponseOpen)
        ? Optional.empty()
        : events.stream()
            .flatMap(event -> told(event, events).stream())
            .map(bytes -> new String(bytes, UTF_8))
            .findFirst();
  }

  private static Optional<byte[]> told(CallEvent event, List<CallEvent> events) {
    return switch (event) {
      case MessageRefused refused -> response(refused);
      case ErrorTranslated translated ->
          events.stream()
              .filter(CallReceived.class::isInstance)
              .map(CallReceived.class::cast)
              .findFirst()
              .flatMap(received -> response(received.rpcId(), translated.told()));
      case CallEvent _ -> Optional.empty();
    };
  }

  /** A message that could not be read has no id, and neither has a notification. */
  private static Optional<byte[]> response(MessageRefused refused) {
    return refused.rpcId() == null
            && refused.fault() instanceof Malformed
            && isReadable(refused.told())
        ? Optional.of(MessageWriter.error(null, refused.told()))
        : response(refused.rpcId(), refused.told());
  }

  private static Optional<byte[]> response(@Nullable String rpcId, ErrorResponse told) {
    return rpcId != null && CredentialMask.isWhole(rpcId) && isReadable(told)
        ? Optional.of(MessageWriter.error(rpcId, told))
        : Optional.empty();
  }

  private static boolean isReadable(ErrorResponse told) {
    return !told.message().equals(Erasable.UNREADABLE);
  }

  private static boolean leavesResponseOpen(CallEvent event) {
    return switch (event) {
      case CallAbandoned _, CallOrphaned _, TaskCreated _ -> true;
      case CallReceived received -> received.transport() == Transport.TREE;
      case ApprovalRequested requested -> requested.taskId() != null;
      case CallEvent _ -> false;
    };
  }
}
