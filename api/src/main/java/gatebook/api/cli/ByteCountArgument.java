package gatebook.api.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads from the command line how many bytes something may have. */
final class ByteCountArgument implements ITypeConverter<Long> {

  @Override
  public Long convert(String text) {
    try {
      long bytes = Long.parseLong(text);
      if (bytes > 0) {
        return bytes;
      }
    } catch (NumberFormatException _) {
      // told below
    }
    throw new TypeConversionException("'%s' is no number of bytes from 1 on".formatted(text));
  }
}
