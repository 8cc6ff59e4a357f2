package gatebook.api.upstream.http;

import io.netty.handler.ssl.SslContext;
import javax.net.ssl.SSLException;

/** The TLS of each new connection. */
@FunctionalInterface
public interface ConnectionTls {

  /** Fails when there are no certificates with which one can be opened. */
  SslContext context() throws SSLException;
}
