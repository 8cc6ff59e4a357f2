package gatebook.api.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;

/** Encodes log lines for standard error: readable on a terminal, otherwise JSON. */
public final class StderrLogEncoder extends EncoderBase<ILoggingEvent> {

  private final Encoder<ILoggingEvent> lines =
      Terminal.STDERR.isTerminal() ? new ReadableLogEncoder() : new JsonLogEncoder();

  @Override
  public byte[] headerBytes() {
    return lines.headerBytes();
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    return lines.encode(event);
  }

  @Override
  public byte[] footerBytes() {
    return lines.footerBytes();
  }
}
