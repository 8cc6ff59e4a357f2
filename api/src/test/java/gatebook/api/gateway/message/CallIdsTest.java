package gatebook.api.gateway.message;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.rpc.RpcMessage;
import gatebook.events.call.Transport;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CallIdsTest {

  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String TRACEPARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";
  private static final RpcMessage PLAIN = new RpcMessage.Request("1", "ping", null);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c",
        "A.b_c:d-1",
        "0192aaaa-0000-7000-8000-00000000abcd",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:"
            + "0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:"
      })
  void correlationIdOfTheCallerIsUsed(String id) {
    assertThat(callIds(id, TRACEPARENT, null, PLAIN)).isEqualTo(new CallIds(CALL, id, TRACE, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a b",
        "a/b",
        "ä",
        "a\n",
        "{\"a\":1}",
        "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
        "0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:"
            + "0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:1"
      })
  void invalidOrSecretLookingCorrelationIdIsNotUsed(String id) {
    assertThat(callIds(id, TRACEPARENT, null, PLAIN))
        .isEqualTo(new CallIds(CALL, TRACE, TRACE, null));
    assertThat(callIds(id, null, null, PLAIN))
        .isEqualTo(new CallIds(CALL, CALL.toString(), null, null));
  }

  @Test
  void traceIsReadFromTheMessageWithoutAHeader() {
    String params =
        """
        {"_meta":{"traceparent":"%s"}}\
        """
            .formatted(TRACEPARENT);
    CallIds named = new CallIds(CALL, TRACE, TRACE, null);

    assertThat(callIds(null, null, null, new RpcMessage.Request("1", "ping", params)))
        .isEqualTo(named);
    assertThat(callIds(null, null, null, new RpcMessage.Notification("ping", params)))
        .isEqualTo(named);
  }

  @Test
  void traceOfTheHeaderComesBeforeThatOfTheMessage() {
    String other = "00-" + "1".repeat(32) + "-00f067aa0ba902b7-00";
    String params =
        """
        {"_meta":{"traceparent":"%s"}}\
        """
            .formatted(other);

    assertThat(callIds(null, TRACEPARENT, null, new RpcMessage.Request("1", "ping", params)))
        .isEqualTo(new CallIds(CALL, TRACE, TRACE, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cc-%s-00f067aa0ba902b7-01", "cc-%s-00f067aa0ba902b7-01-more.of it"})
  void laterTraceVersionIsReadAsFarAsKnown(String traceparent) {
    assertThat(callIds(null, traceparent.formatted(TRACE), null, PLAIN).traceId()).isEqualTo(TRACE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more"
      })
  void invalidTraceIsNotUsed(String traceparent) {
    assertThat(callIds(null, traceparent, null, PLAIN))
        .isEqualTo(new CallIds(CALL, CALL.toString(), null, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2025-11-25", "1.0", "x"})
  void declaredVersionIsUsedAsItIs(String version) {
    assertThat(callIds("c", null, version, PLAIN)).isEqualTo(new CallIds(CALL, "c", null, version));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1 0", "1,2", "123456789012345678901234567890123"})
  void invalidVersionIsNotUsed(String version) {
    assertThat(callIds("c", null, version, PLAIN)).isEqualTo(new CallIds(CALL, "c", null, null));
  }

  private static CallIds callIds(
      @Nullable String correlationId,
      @Nullable String traceparent,
      @Nullable String version,
      RpcMessage rpcMessage) {
    Caller caller = new Caller(List.of(), true, CallerConnection.UNOBSERVED);
    return CallIds.of(
        CALL,
        new IncomingMessage(
            rpcMessage,
            1,
            Transport.HTTP,
            caller,
            correlationId,
            traceparent,
            version,
            ClientChannel.NONE,
            Map.of()),
        rpcMessage.members());
  }
}
