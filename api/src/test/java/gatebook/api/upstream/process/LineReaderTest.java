package gatebook.api.upstream.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.process.LineReader.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
    assertThat(read("12345\n123456\n1\n", 5)).containsExactly("12345", "6 bytes, id null", "1");
  }

  @Test
  void aLineMayBeLargerThanTheBuffer() throws IOException {
    String large = "x".repeat(100_000);

    assertThat(read(large + "\n" + large + "y\nz\n", 100_000))
        .containsExactly(large, "100001 bytes, id null", "z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        """
        {"id":12,"x":"PAD"} | 12\
        """,
        """
        {"x":"PAD","jsonrpc":"2.0","id" : 345 } | 345\
        """,
        """
        {"x":{"id":1,"y":[{"id":2}]},"p":"PAD","id":7} | 7\
        """,
        """
        {"x":"\\"id\\":8,PAD","y":9} | null\
        """,
        """
        {"x":"PAD","ids":5} | null\
        """,
        """
        {"x":"PAD","id":"5"} | null\
        """,
        "[{\"id\":5},\"PAD\"] | null",
        "{\"x\":\"PAD | null",
      })
  void anOversizeLineKeepsTheIdOfItsOuterObject(String line, String id) throws IOException {
    String padded = line.replace("PAD", "é".repeat(20_000));

    assertThat(read(padded + "\n", 20))
        .containsExactly("%d bytes, id %s".formatted(padded.getBytes(UTF_8).length, id));
  }

  private static List<String> read(String text, long bytesMax) throws IOException {
    LineReader lineReader =
        new LineReader(new ByteArrayInputStream(text.getBytes(UTF_8)), bytesMax);
    List<String> read = new ArrayList<>();
    for (Line line = lineReader.next(); line != null; line = lineReader.next()) {
      read.add(
          switch (line) {
            case Line.Whole(var bytes) -> new String(bytes, UTF_8);
            case Line.Overlong(long bytes, var id) -> "%d bytes, id %s".formatted(bytes, id);
          });
    }
    return read;
  }
}
