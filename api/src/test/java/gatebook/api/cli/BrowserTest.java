package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BrowserTest {
  private static final String LINK = "http://127.0.0.1:7469/#code=abc";

  @TempDir private Path temp;

  @Test
  void theChosenBrowserGetsTheLink() throws Exception {
    assertThat(browser(program("echo \"$@\" >'%s'; exit 0") + " --new").open(LINK)).isTrue();

    assertThat(opened()).isEqualTo("--new " + LINK + "\n");
  }

  @Test
  void theLinkHasItsPlaceInTheCommand() throws Exception {
    assertThat(browser(program("echo \"$@\" >'%s'") + " --app=%s -x").open(LINK)).isTrue();

    assertThat(opened()).isEqualTo("--app=" + LINK + " -x\n");
  }

  @Test
  void aProgramThatFailsHasOpenedNothing() throws Exception {
    assertThat(browser(program("exit 3")).open(LINK)).isFalse();
    assertThat(browser(temp.resolve("none").toString()).open(LINK)).isFalse();
  }

  @Test
  void aProgramThatStaysHasOpenedTheLink() throws Exception {
    assertThat(browser(program("echo \"$@\" >'%s'; exec cat")).open(LINK)).isTrue();

    await().until(() -> !opened().isEmpty());
  }

  @Test
  void withoutADesktopThereIsNoBrowser() throws Exception {
    assertThat(new Browser(Map.of(), "Linux").open(LINK)).isFalse();
    assertThat(browser(" ").open(LINK)).isFalse();
  }

  private static Browser browser(String command) {
    return new Browser(Map.of("BROWSER", command), "Linux");
  }

  private String program(String script) throws IOException {
    Path program = temp.resolve("browser");
    Files.writeString(program, "#!/bin/sh\n" + script.replace("%s", output().toString()) + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program.toString();
  }

  private Path output() {
    return temp.resolve("opened");
  }

  private String opened() throws IOException {
    return Files.exists(output()) ? Files.readString(output()) : "";
  }
}
