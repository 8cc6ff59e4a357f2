package gatebook.api.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random bytes and mutated messages, by seed; a second parser says what can be read at all. */
final class AnyBytesTest {

  private static final int ROUNDS = 20_000;

  private static final List<String> MESSAGES =
      List.of(
          """
          {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",\
          "arguments":{"a":[1,2.50,true,null],"\\u00e9":"\ud83d\ude00"}}}\
          """,
          """
          {"jsonrpc":"2.0","method":"notifications/initialized"}\
          """,
          """
          {"id":"a\\"b\\u0063","params":[[[{}]]],"method":"m","jsonrpc":"2.0"}\
          """,
          """
          [{"jsonrpc":"2.0","id":12345678901234567890,"method":"m"}]\
          """);

  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "\"",
          "\\",
          "\\ud800",
          "\\u0000",
          "null",
          "1e9",
          "-",
          "\"id\":",
          "\"id\":2,",
          "\"jsonrpc\":\"2.0\",",
          "\ufeff",
          "\u0000",
          " ",
          "\n",
          "[[[[[[[[",
          "\ud83d\ude00");

  private final MessageReader reader = new MessageReader(16);
  private final JsonMapper strict =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void mutatedMessagesGiveExactlyOneOutcome(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      expectOneOutcome(mutated(random));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {6, 7})
  void randomBytesGiveExactlyOneOutcome(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = new byte[random.nextInt(64)];
      random.nextBytes(bytes);
      expectOneOutcome(bytes);
    }
  }

  private void expectOneOutcome(byte[] body) {
    assertThatCode(
            () -> {
              switch (reader.read(body)) {
                case RpcMessage.Request(var id, var method, var params, _) -> {
                  assertThat(member(body, "id")).isEqualTo(strict.readTree(id));
                  assertThat(member(body, "method").textValue()).isEqualTo(method);
                  expectParams(body, params);
                }
                case RpcMessage.Notification(var method, var params, _) -> {
                  assertThat(member(body, "id").isMissingNode()).isTrue();
                  assertThat(member(body, "method").textValue()).isEqualTo(method);
                  expectParams(body, params);
                }
                case RpcMessage.Unreadable(_, var id) -> {
                  if (id != null) {
                    assertThat(new String(body, UTF_8)).contains(id);
                    strict.readTree(id);
                  }
                }
              }
            })
        .as(() -> HexFormat.of().formatHex(body))
        .doesNotThrowAnyException();
  }

  private void expectParams(byte[] body, @Nullable String params) throws IOException {
    if (params == null) {
      assertThat(member(body, "params").isEmpty()).isTrue();
    } else {
      assertThat(new String(body, UTF_8)).contains(params);
      assertThat(member(body, "params")).isEqualTo(strict.readTree(params));
    }
  }

  private JsonNode member(byte[] body, String name) throws IOException {
    return strict.readTree(body).path(name);
  }

  private static byte[] mutated(Random random) {
    byte[] bytes = MESSAGES.get(random.nextInt(MESSAGES.size())).getBytes(UTF_8);
    for (int i = random.nextInt(4); i > 0; i--) {
      bytes = mutatedOnce(bytes, random);
    }
    return bytes;
  }

  private static byte[] mutatedOnce(byte[] bytes, Random random) {
    int from = random.nextInt(bytes.length + 1);
    int to = from + random.nextInt(Math.min(8, bytes.length - from) + 1);
    byte[] replacement =
        switch (random.nextInt(4)) {
          case 0 -> new byte[0];
          case 1 -> new byte[] {(byte) random.nextInt(256)};
          case 2 -> PIECES.get(random.nextInt(PIECES.size())).getBytes(UTF_8);
          default -> Arrays.copyOfRange(bytes, 0, from);
        };
    return spliced(bytes, from, to, replacement);
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] replacement) {
    byte[] result = new byte[from + replacement.length + bytes.length - to];
    System.arraycopy(bytes, 0, result, 0, from);
    System.arraycopy(replacement, 0, result, from, replacement.length);
    System.arraycopy(bytes, to, result, from + replacement.length, bytes.length - to);
    return result;
  }
}
