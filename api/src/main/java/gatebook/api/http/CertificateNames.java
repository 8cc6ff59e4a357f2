package gatebook.api.http;

import gatebook.command.rules.Credential;
import io.micronaut.http.HttpRequest;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The names in a certificate that a client showed, and that the handshake has verified. */
public final class CertificateNames {
  private static final int EMAIL = 1;
  private static final int DNS = 2;
  private static final int URI = 6;

  private CertificateNames() {}

  /** Empty when the client showed none. */
  public static List<Credential.Certificate> of(HttpRequest<?> request) {
    return request.getCertificate().map(CertificateNames::of).orElse(List.of());
  }

  private static List<Credential.Certificate> of(Certificate certificate) {
    if (!(certificate instanceof X509Certificate x509)) {
      return List.of();
    }
    List<Credential.Certificate> names = new ArrayList<>();
    names.add(Credential.Certificate.of(x509.getSubjectX500Principal()));
    try {
      Collection<List<?>> alternatives = x509.getSubjectAlternativeNames();
      if (alternatives != null) {
        alternatives.forEach(it -> add(it, names));
      }
    } catch (CertificateParsingException _) {
      // the subject is all that it tells
    }
    return names;
  }

  private static void add(List<?> alternative, List<Credential.Certificate> names) {
    String prefix =
        switch ((Integer) alternative.getFirst()) {
          case EMAIL -> "email:";
          case DNS -> "dns:";
          case URI -> "uri:";
          default -> null;
        };
    if (prefix != null) {
      names.add(new Credential.Certificate(prefix + alternative.get(1)));
    }
  }
}
