package gatebook.api.gateway.message;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.events.call.Transport;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TraceContextTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what later versions add"
      })
  void traceIsForwardedAsItCame(String parent) {
    assertThat(TraceContext.of(incoming(parent, "a=1"), ObjectMembers.of(null)))
        .contains(new TraceContext(TRACE, parent, "a=1"));
  }

  static List<String> states() {
    return List.of(
        "a=1",
        "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
        " a=1 ,\tb=2 ",
        "a=1,,b=2,",
        "1a-tenant_x*/y@system=!+-<>~ z",
        "k".repeat(256) + "=" + "v".repeat(256),
        "a=" + "v".repeat(256) + ",b=" + "v".repeat(251), // 512 characters
        state(32),
        "a=1," + " ".repeat(2_044));
  }

  @ParameterizedTest
  @MethodSource("states")
  void validStateIsForwardedAsItCame(String state) {
    assertThat(forwardedHeaders(PARENT, state))
        .isEqualTo(Map.of("traceparent", PARENT, "tracestate", state, "x-other", "1"));
  }

  static List<String> statesThatAreNone() {
    return List.of(
        "",
        " , ",
        "a",
        "a=",
        "=1",
        "A=1",
        "a=1=2",
        "a b=1",
        "a=1;b=2\u0000",
        "a=1\r\nX-Injected: 1",
        "a=\u00e4",
        "k".repeat(257) + "=1",
        "a=" + "v".repeat(257),
        state(33),
        "a=1," + " ".repeat(2_045));
  }

  @ParameterizedTest
  @MethodSource("statesThatAreNone")
  void invalidStateIsDroppedAndTheTraceIsForwarded(String state) {
    assertThat(forwardedHeaders(PARENT, state))
        .isEqualTo(Map.of("traceparent", PARENT, "x-other", "1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-\r\nX-Injected: 1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,"
            + "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
      })
  void invalidTraceIsNotForwarded(String parent) {
    assertThat(forwardedHeaders(parent, "a=1")).isEqualTo(Map.of("x-other", "1"));
  }

  @Test
  void traceOfTheMessageIsForwardedWithoutAHeader() {
    ObjectMembers params =
        ObjectMembers.of(
            """
            {"_meta":{"traceparent":"%s","tracestate":"b=2"}}\
            """
                .formatted(PARENT));
    Map<String, String> named = Map.of("traceparent", PARENT, "tracestate", "b=2", "x-other", "1");

    assertThat(TraceContext.forwardedHeaders(incoming(null, null), params)).isEqualTo(named);
    assertThat(TraceContext.forwardedHeaders(incoming(null, "a=1"), params)).isEqualTo(named);
    assertThat(TraceContext.forwardedHeaders(incoming("00-bad", "a=1"), params)).isEqualTo(named);
  }

  @Test
  void headerAndMessageAreNotMixed() {
    ObjectMembers params =
        ObjectMembers.of(
            """
            {"_meta":{"traceparent":"%s","tracestate":"b=2"}}\
            """
                .formatted(PARENT));
    String header = PARENT.replace(TRACE, "1".repeat(32));

    assertThat(TraceContext.forwardedHeaders(incoming(header, null), params))
        .isEqualTo(Map.of("traceparent", header, "x-other", "1"));
  }

  private static String state(int members) {
    return IntStream.range(0, members).mapToObj(i -> "k" + i + "=v").collect(joining(","));
  }

  private static Map<String, String> forwardedHeaders(String parent, String state) {
    return TraceContext.forwardedHeaders(incoming(parent, state), ObjectMembers.of(null));
  }

  /** A message as its transport receives it: its headers have both, valid or not. */
  private static IncomingMessage incoming(@Nullable String parent, @Nullable String state) {
    Map<String, String> headers = new TreeMap<>(Map.of("x-other", "1"));
    if (parent != null) {
      headers.put("traceparent", parent);
    }
    if (state != null) {
      headers.put("tracestate", state);
    }
    return new IncomingMessage(
        new RpcMessage.Request("1", "ping", null),
        1,
        Transport.HTTP,
        new Caller(List.of(), true, CallerConnection.UNOBSERVED),
        null,
        parent,
        null,
        ClientChannel.NONE,
        headers);
  }
}
