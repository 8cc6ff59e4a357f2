package gatebook.command.redact;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import gatebook.events.call.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stack traces as the languages print them. In the file, every part of a frame that must be
 * redacted is named {@code secret} or ends in {@code Secret}, and every failure is named {@code
 * failure}.
 */
final class StackTraceDetectorTest {

  private static final Pattern HIDDEN = Pattern.compile("[A-Za-z]*[Ss]ecret");
  private static final JsonMapper MAPPER = new JsonMapper();

  static Stream<String> traces() {
    return Stream.of(resource().split("(?m)^=====.*\n", -1)).filter(it -> !it.isBlank());
  }

  @ParameterizedTest
  @MethodSource("traces")
  void framesAreRedactedAndTheFailureStays(String trace) {
    expectHidden(trace, Scrubber.BUILT_IN.scrub(trace));
    expectHidden(trace, Scrubber.BUILT_IN.scrub(trace.replace("\n", "\r\n")));
    expectHidden(trace, Scrubber.BUILT_IN.scrub("before it\n" + trace + "\nand after"));
  }

  @ParameterizedTest
  @MethodSource("traces")
  void framesOnOneLineAreRedacted(String trace) {
    String joined = trace.strip().replaceAll("\\s*\n\\s*", " ");

    expectHidden(joined, Scrubber.BUILT_IN.scrub(joined));
    expectHidden(joined, Scrubber.BUILT_IN.scrub("it says: " + joined + " (and after)"));
    assertThat(Scrubber.BUILT_IN.scrub(joined + " (and after)")).endsWith("(and after)");
  }

  @ParameterizedTest
  @MethodSource("traces")
  void framesInQuotedTextsAreRedacted(String trace) {
    String once = MAPPER.createObjectNode().put("detail", trace).toString();
    String twice = MAPPER.createObjectNode().put("detail", once).toString();

    expectHidden(trace, Scrubber.BUILT_IN.scrub(once));
    expectHidden(trace, Scrubber.BUILT_IN.scrub(twice));
    expectHidden(trace, Scrubber.BUILT_IN.scrub(JsonValue.parse(twice)).toString());
  }

  @ParameterizedTest
  @MethodSource("traces")
  void framesInArraysOfLinesAreRedacted(String trace) {
    ArrayNode lines = MAPPER.createArrayNode();
    trace.lines().forEach(lines::add);

    JsonValue scrubbed = Scrubber.BUILT_IN.scrub(JsonValue.parse(lines.toString()));

    expectHidden(trace, scrubbed.toString());
    assertThat(Scrubber.BUILT_IN.scrub(scrubbed)).isEqualTo(scrubbed);
  }

  @Test
  void otherStringsOfAnArrayStay() {
    String array =
        """
        {"a":["main.add","/x","at last",["it.is"],{"b":"c.d"},1.50,null,"e.f"],"g":["h"]}\
        """;

    assertThat(Scrubber.BUILT_IN.scrubJson(array).toString()).isEqualTo(array);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"classLoaderName":"app","moduleName":null,"methodName":"addSecret","fileName":"CartSecret.java",\
        "lineNumber":57,"nativeMethod":false,"className":"example.CartSecret"}\
        """,
        """
        {"declaringClass":"example.CartSecret","methodName":"addSecret","lineNumber":-2}\
        """,
        """
        {"file":"secret.php","line":7,"function":"addSecret","class":"CartSecret","type":"->"}\
        """,
        """
        {"filename":"secret.py","function":"add_secret","in_app":true,"lineno":3,"context_line":"add(secret)"}\
        """
      })
  void framesAsObjectsAreRedacted(String frame) {
    JsonValue scrubbed =
        Scrubber.BUILT_IN.scrubJson(
            "{\"stackTrace\":[%s],\"message\":\"failure\"}".formatted(frame));

    expectHidden("failure", scrubbed.toString());
    assertThat(Scrubber.BUILT_IN.scrub(scrubbed)).isEqualTo(scrubbed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"className":"wide","fileName":"a.txt","lineNumber":3,"ok":true,"x":null,"y":1.50}\
        """,
        """
        {"function":"sum","line":{"from":1},"file":"a","z":[1]}\
        """,
        """
        {"class":"a","name":"b","function":"c"}\
        """
      })
  void otherObjectsStay(String json) {
    assertThat(Scrubber.BUILT_IN.scrubJson(json).toString()).isEqualTo(json);
  }

  @ParameterizedTest
  @MethodSource("traces")
  void singleFramesAreRedacted(String trace) {
    List<String> lines = trace.lines().filter(it -> it.strip().startsWith("at ")).toList();

    assertThat(lines)
        .allSatisfy(
            line -> assertThat(Scrubber.BUILT_IN.scrub(line)).doesNotContainPattern(HIDDEN));
  }

  @ParameterizedTest
  @MethodSource("traces")
  void keptStackTracesHaveNoPaths(String trace) {
    assertThat(Scrubber.BUILT_IN.keepingStacks().scrub(trace)).doesNotContain("/home/secret");
  }

  private static void expectHidden(String trace, String scrubbed) {
    assertThat(scrubbed)
        .as(trace)
        .doesNotContainPattern(HIDDEN)
        .containsPattern("\\[(stack|path)]");
    if (trace.contains("failure")) {
      assertThat(scrubbed).as(trace).contains("failure");
    }
    assertThat(Scrubber.BUILT_IN.scrub(scrubbed)).isEqualTo(scrubbed);
  }

  private static String resource() {
    try (var traces = StackTraceDetectorTest.class.getResourceAsStream("stacks.txt")) {
      return new String(traces.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
