package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;

/** Writes frames. Their header is short, since some clients read only its first 100 bytes. */
public final class FrameWriter {

  private final OutputStream out;

  public FrameWriter(OutputStream out) {
    this.out = out;
  }

  /** Writes the whole frame at once. */
  public void write(byte[] body) throws IOException {
    byte[] header = "Content-Length: %d\r\n\r\n".formatted(body.length).getBytes(US_ASCII);
    byte[] frame = new byte[header.length + body.length];
    System.arraycopy(header, 0, frame, 0, header.length);
    System.arraycopy(body, 0, frame, header.length, body.length);
    out.write(frame);
    out.flush();
  }
}
