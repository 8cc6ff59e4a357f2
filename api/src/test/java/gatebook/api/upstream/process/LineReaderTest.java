package gatebook.api.upstream.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.memory.InFlightMemory;
import gatebook.api.upstream.process.LineReader.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineReaderTest {

  @Test
  void theLastLineNeedsNoLineEnd() throws IOException {
    assertThat(read("a\r\n\nbü\nlast", 5)).containsExactly("a\r", "", "bü", "last");
  }

  @Test
  void noEmptyLineFollowsTheLast() throws IOException {
    assertThat(read("a\n", 5)).containsExactly("a");
    assertThat(read("", 5)).isEmpty();
  }

  @Test
  void onlyTheLengthOfAnOversizeLineIsKept() throws IOException {
    assertThat(read("12345\n123456\n1\n", 5)).containsExactly("12345", "6 bytes, ids []", "1");
  }

  @Test
  void aLineMayBeLargerThanTheBuffer() throws IOException {
    String large = "x".repeat(100_000);

    assertThat(read(large + "\n" + large + "y\nz\n", 100_000))
        .containsExactly(large, "100001 bytes, ids []", "z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        """
        {"id":12,"x":"PAD"} | [12]\
        """,
        """
        {"x":"PAD","jsonrpc":"2.0","id" : 345 } | [345]\
        """,
        """
        {"x":{"id":1,"y":[{"id":2}]},"p":"PAD","id":7} | [7]\
        """,
        """
        {"x":"\\"id\\":8,PAD","y":9} | []\
        """,
        """
        {"x":"PAD","ids":5} | []\
        """,
        """
        {"x":"PAD","id":"5"} | []\
        """,
        "[{\"id\":5},\"PAD\"] | [5]",
        """
        {"id":5,"x":"PAD","id":6} | [5, 6]\
        """,
        """
        {"id":5,"x":"PAD"}{"id":6} | [5, 6]\
        """,
        """
        [{"id":5,"x":"PAD"}, {"id":6,"method":"x"}, {"id":7}] | [5, 7]\
        """,
        """
        [INFO] {"id":5,"x":"PAD"} | []\
        """,
        """
        {"id":5,"x":"PAD"} and {"id":6} | [5]\
        """,
        "{\"x\":\"PAD | []",
      })
  void anOversizeLineKeepsTheIdsOfItsOuterObjects(String line, String ids) throws IOException {
    String padded = line.replace("PAD", "é".repeat(20_000));

    assertThat(read(padded + "\n", 20))
        .containsExactly("%d bytes, ids %s".formatted(padded.getBytes(UTF_8).length, ids));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"id\":\"a-7\",\"method\":\"m\",\"x\":\"PAD\"} | \"a-7\"",
        "{\"method\":\"m\",\"x\":\"PAD\",\"id\":-5} | -5",
        "{\"id\":5,\"x\":\"PAD\"} | none",
        "{\"method\":\"m\",\"x\":\"PAD\"} | none",
        "{\"id\":1,\"method\":\"m\",\"x\":\"PAD\",\"id\":2} | none",
        "{\"id\":[1],\"method\":\"m\",\"x\":\"PAD\"} | none",
      })
  void aLineWithoutMemoryKeepsTheIdOfItsRequest(String line, String id) throws IOException {
    InFlightMemory small = new InFlightMemory(1 << 20, 50);
    String padded = line.replace("PAD", "x".repeat(100_000)) + "\n{\"n\":1}\n";
    LineReader lineReader =
        new LineReader(new ByteArrayInputStream(padded.getBytes(UTF_8)), 1 << 20, small);

    assertThat(lineReader.next())
        .isInstanceOfSatisfying(
            Line.Overlong.class,
            overlong -> {
              assertThat(overlong.isDropped()).isTrue();
              assertThat(overlong.requestId()).isEqualTo(id.equals("none") ? null : id);
            });
    assertThat(small.usedBytes()).isZero();
    assertThat(lineReader.next())
        .isInstanceOfSatisfying(
            Line.Whole.class, whole -> assertThat(whole.bytes()).asString().isEqualTo("{\"n\":1}"));
    assertThat(small.usedBytes()).isPositive();
    assertThat(lineReader.next()).isNull();
    assertThat(small.usedBytes()).isZero();
  }

  private static List<String> read(String text, long bytesMax) throws IOException {
    LineReader lineReader =
        new LineReader(new ByteArrayInputStream(text.getBytes(UTF_8)), bytesMax);
    List<String> read = new ArrayList<>();
    for (Line line = lineReader.next(); line != null; line = lineReader.next()) {
      read.add(
          switch (line) {
            case Line.Whole(var bytes, _) -> new String(bytes, UTF_8);
            case Line.Overlong(long bytes, var ids, _, _) ->
                "%d bytes, ids %s".formatted(bytes, new TreeSet<>(ids));
          });
    }
    return read;
  }
}
