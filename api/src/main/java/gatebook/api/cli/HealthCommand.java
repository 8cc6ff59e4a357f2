package gatebook.api.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.cli.option.DataOption;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.text.TextCells;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.FileFailure;
import gatebook.api.http.tls.AnyCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command {@code gatebook health}: asks the node of this machine whether it is ready, as a
 * supervisor of containers does.
 *
 * <p>It sends no token. The address comes from the data directory, which only its user can write,
 * so any certificate will do.
 */
@Command(
    name = "health",
    description = "Asks the server that uses the data directory whether it is ready for calls.",
    footer = {
      "",
      "Exit code: 0 ready, 1 not ready or no answer, 2 usage.",
      "Example: gatebook health --data ./gatebook-data"
    })
public final class HealthCommand implements Callable<Integer> {
  private static final int ANSWER_MILLIS_MAX = (int) Duration.ofSeconds(10).toMillis();
  private static final int ANSWER_BYTES_MAX = 1 << 16;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final DataOption dataOption = new DataOption(System.getenv());
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Override
  public Integer call() {
    try {
      Optional<String> url = DataDirectory.probeUrl(dataOption.directory());
      return url.isPresent() ? ask(URI.create(url.get()).resolve("/ready")) : noServer();
    } catch (IOException e) {
      return failed("cannot read the data directory (%s)".formatted(FileFailure.reason(e)));
    }
  }

  private int noServer() {
    return failed("no server uses %s, or it is still starting".formatted(dataOption.directory()));
  }

  private int ask(URI url) {
    try {
      HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
      if (connection instanceof HttpsURLConnection secured) {
        secured.setSSLSocketFactory(AnyCertificate.context().getSocketFactory());
        secured.setHostnameVerifier((_, _) -> true);
      }
      connection.setConnectTimeout(ANSWER_MILLIS_MAX);
      connection.setReadTimeout(ANSWER_MILLIS_MAX);
      return show(connection);
    } catch (IOException _) {
      return failed("the server does not answer at %s".formatted(url));
    }
  }

  private int show(HttpURLConnection connection) throws IOException {
    boolean isReady = connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    JsonNode answer = answer(isReady ? connection.getInputStream() : connection.getErrorStream());
    jsonOption.show(spec.commandLine(), answer, HealthCommand::lines);
    return isReady ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static JsonNode answer(@Nullable InputStream body) throws IOException {
    if (body == null) {
      throw new IOException("an answer without a body");
    }
    try (body) {
      return new JsonMapper().readTree(new String(body.readNBytes(ANSWER_BYTES_MAX), UTF_8));
    }
  }

  private static List<String> lines(JsonNode ready) {
    return ready.path("reason").isTextual()
        ? List.of("not ready: " + TextCells.of(ready.path("reason")))
        : List.of("ready");
  }

  private int failed(String sentence) {
    return jsonOption.failed(spec.commandLine(), sentence);
  }
}
