package gatebook.api.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.memory.InFlightMemory;
import gatebook.api.memory.MemoryReservation;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Isolated("takes the memory for messages of this process")
final class BodyMemoryTest {

  private static final int HALF_BYTES = 450_000;

  /** How many bytes are reserved for each byte of a message. */
  private static final int GROWTH = 16;

  private static final int SILENT_MILLIS_MAX = 20_000;

  private final MemoryReservation others = InFlightMemory.OF_PROCESS.open();
  private HttpServers httpServers;

  @BeforeEach
  void open() {
    ListenAddress anyPort = new ListenAddress("127.0.0.1", 0);
    HttpServers.StartResult result =
        HttpServers.open(
            anyPort,
            anyPort,
            Optional.empty(),
            "1.2.3",
            () -> new Readiness.Status(Map.of(), null, "power"),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            _ -> {});
    httpServers = ((HttpServers.StartResult.Started) result).servers();
    others.add(InFlightMemory.OF_PROCESS.bytesMax());
  }

  @AfterEach
  void close() {
    others.release();
    httpServers.close();
  }

  /** The rest of the body is read and dropped, so that closing does not destroy the response. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"Content-Length: 900000|''|''", "Transfer-Encoding: chunked|DBBA0|0"})
  void bodyWithoutMemoryIsRefusedBeforeItIsRead(String header, String before, String after)
      throws IOException {
    ListenAddress at = httpServers.address(Port.CALLERS);
    try (Socket socket = new Socket(at.host(), at.port())) {
      socket.setSoTimeout(SILENT_MILLIS_MAX);
      String half = "x".repeat(HALF_BYTES);
      write(socket, head(header) + (before.isEmpty() ? "" : before + "\r\n") + half);
      assertThat(new String(socket.getInputStream().readNBytes(12), ISO_8859_1)).endsWith("200");
      write(socket, half + (after.isEmpty() ? "" : "\r\n0\r\n\r\n"));
      assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
          .endsWith("overload true");
    }
  }

  @Test
  void compressedBodyCountsByWhatItGrowsTo() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(new byte[HALF_BYTES]);
    }
    others.release(); // and again, but for what the compressed body takes
    MemoryReservation rest = InFlightMemory.OF_PROCESS.open();
    try {
      long takenBytes = InFlightMemory.OF_PROCESS.usedBytes() / GROWTH;
      assertThat(rest.resize(InFlightMemory.OF_PROCESS.messageBytesMax() - takenBytes - 10_000))
          .isTrue();
      String head =
          head("Content-Encoding: gzip\r\nContent-Length: " + compressed.size())
              + compressed.toString(ISO_8859_1);

      assertThat(RawHttp.send(httpServers.address(Port.CALLERS), head.getBytes(ISO_8859_1)).body())
          .isEqualTo("null, overload true");
    } finally {
      rest.release();
      var _ = others.hold();
    }
  }

  private String head(String header) {
    return "POST /test-callers/body HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n%s\r\n\r\n"
        .formatted(httpServers.address(Port.CALLERS).port(), header);
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
  }
}
