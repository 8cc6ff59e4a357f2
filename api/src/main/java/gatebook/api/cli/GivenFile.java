package gatebook.api.cli;

import gatebook.api.data.FileFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Reads a file that a command was given, up to a size. */
public final class GivenFile {

  private GivenFile() {}

  /**
   * The bytes of a file; a file that cannot be read, or is too large, is a mistake of usage.
   *
   * @param what the file is, with its article
   * @param option that sets the largest size
   */
  public static byte[] read(
      CommandLine command, String what, Path file, long bytesMax, String option) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(Math.clamp(bytesMax, -1, Integer.MAX_VALUE - 1) + 1);
      if (bytes.length <= bytesMax) {
        return bytes;
      }
    } catch (IOException e) {
      throw new ParameterException(
          command, "cannot read %s %s: %s".formatted(what, file, FileFailure.reason(e)));
    }
    throw new ParameterException(
        command, "%s %s has more than %d bytes: raise %s".formatted(what, file, bytesMax, option));
  }
}
