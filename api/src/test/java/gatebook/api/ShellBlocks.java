package gatebook.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The blocks of commands in a page that the build runs. */
final class ShellBlocks {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");

  private ShellBlocks() {}

  /** Each block as it stands in the page. */
  static List<String> of(Path page) {
    try {
      return BLOCK.matcher(Files.readString(page)).results().map(it -> it.group(1)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
