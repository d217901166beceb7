//! Which addresses a server may lead us to (server-side request forgery): never deeper into the network than where it
//! stands itself. A server on the internet may not name one of the company's or of this machine; only a machine's own
//! link may name what is on it.

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// How far from the outside something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Zone {
    /// The internet.
    Public,
    /// A network of somebody's own.
    Private,
    /// This machine.
    Loopback,
    /// The link: where clouds keep the credentials of their machines.
    Link,
}

impl Zone {
    /// The zone of an address.
    pub(crate) fn of(address: IpAddr) -> Zone {
        match address {
            IpAddr::V4(v4) => of_v4(v4),
            IpAddr::V6(v6) => of_v6(v6),
        }
    }

    /// The zone of a URL's host where it is plain to see: an address, or this machine's name.
    pub(crate) fn of_host(url: &Url) -> Option<Zone> {
        let host = url.host_str()?;
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            return Some(Zone::of(address));
        }
        let name = host.trim_end_matches('.').to_ascii_lowercase();
        (name == "localhost" || name.ends_with(".localhost")).then_some(Zone::Loopback)
    }

    /// Whether a server in this zone may lead to `other`.
    fn may_lead_to(self, other: Zone) -> bool {
        if other == Zone::Link { self == Zone::Link } else { other <= self }
    }
}

fn of_v4(address: Ipv4Addr) -> Zone {
    let [a, b, ..] = address.octets();
    match address {
        // What connects to no address in particular reaches this machine.
        _ if address.is_loopback() || address.is_unspecified() => Zone::Loopback,
        _ if address.is_link_local() => Zone::Link,
        _ if address.is_private() || address.is_broadcast() => Zone::Private,
        // Shared by carriers, and for benchmarks.
        _ if (a == 100 && (64..128).contains(&b)) || (a == 198 && (b == 18 || b == 19)) || a == 0 => Zone::Private,
        _ => Zone::Public,
    }
}

fn of_v6(address: Ipv6Addr) -> Zone {
    if let Some(v4) = address.to_ipv4_mapped() {
        return of_v4(v4);
    }
    let first = address.segments()[0];
    let inner = |at: usize| {
        let octets = address.octets();
        of_v4(Ipv4Addr::new(octets[at], octets[at + 1], octets[at + 2], octets[at + 3]))
    };
    // The translation of an IPv4 address (64:ff9b::/96).
    if address.segments()[..6] == [0x64, 0xff9b, 0, 0, 0, 0] {
        return inner(12);
    }
    match address {
        _ if address.is_loopback() || address.is_unspecified() => Zone::Loopback,
        // An IPv4 address in the old way of writing it (::/96), and a tunnel to one (6to4).
        _ if address.segments()[..6] == [0; 6] => inner(12),
        _ if first == 0x2002 => inner(2),
        _ if first & 0xffc0 == 0xfe80 => Zone::Link,
        _ if first & 0xfe00 == 0xfc00 => Zone::Private,
        _ => Zone::Public,
    }
}

/// Where the server stands that leads us, and what it may lead to.
#[derive(Debug, Clone)]
pub(crate) struct Zoned {
    /// Where it stands.
    pub(crate) zone: Zone,
    /// Whether plain http may leave this machine.
    pub(crate) insecure_http: bool,
    /// Hosts of the user's own proxies, which are connected to wherever they stand.
    pub(crate) proxies: Vec<String>,
    /// The host that the user names, which is connected to wherever it stands.
    pub(crate) own: Option<String>,
}

impl Zoned {
    /// Where the server of this URL stands; its name is looked up unless a proxy does that. A name with several addresses
    /// leads no further than the outermost of them may.
    pub(crate) async fn of_server(url: &Url, insecure_http: bool, proxies: &[String], is_direct: bool) -> Zoned {
        let zone = match Zone::of_host(url) {
            Some(zone) => zone,
            None if !proxies.is_empty() && !is_direct => Zone::Public,
            None => {
                let host = url.host_str().unwrap_or_default();
                let found = tokio::net::lookup_host((host, 0)).await;
                let found = found.into_iter().flatten().map(|address| Zone::of(address.ip()));
                // A name that does not resolve leads nowhere anyway.
                found.min().unwrap_or(Zone::Public)
            }
        };
        Zoned { zone, insecure_http, proxies: proxies.to_vec(), own: url.host_str().map(str::to_owned) }
    }

    /// Whether a URL may be asked or opened; else why not. What its name resolves to is looked at when connecting.
    pub(crate) fn check(&self, url: &Url) -> Result<(), String> {
        check_scheme(url, self.insecure_http)?;
        match Zone::of_host(url) {
            Some(zone) if !self.zone.may_lead_to(zone) => Err(private(url.host_str().unwrap_or_default())),
            _ => Ok(()),
        }
    }
}

/// Whether a URL is encrypted or stays on this machine; else why it must not be used.
pub(crate) fn check_scheme(url: &Url, insecure_http: bool) -> Result<(), String> {
    match url.scheme() {
        "https" => Ok(()),
        "http" if insecure_http || Zone::of_host(url) == Some(Zone::Loopback) => Ok(()),
        "http" => Err(format!("{} is plain http, which others can read", url.origin().ascii_serialization())),
        scheme => Err(format!("a {scheme}: URL is no web address")),
    }
}

fn private(host: &str) -> String {
    format!("{host} is a private address, which a server outside may not lead to")
}

impl Resolve for Zoned {
    fn resolve(&self, name: Name) -> Resolving {
        let zone = self.zone;
        let is_users = self.proxies.iter().chain(&self.own).any(|host| host == name.as_str());
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let allowed: Vec<SocketAddr> =
                found.iter().copied().filter(|at| is_users || zone.may_lead_to(Zone::of(at.ip()))).collect();
            if allowed.is_empty() && !found.is_empty() {
                return Err(private(name.as_str()).into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_their_zone() {
        for (address, zone) in [
            ("8.8.8.8", Zone::Public),
            ("10.1.2.3", Zone::Private),
            ("172.31.0.1", Zone::Private),
            ("192.168.0.1", Zone::Private),
            ("100.64.0.1", Zone::Private),
            ("0.0.0.0", Zone::Loopback),
            ("::", Zone::Loopback),
            ("::7f00:1", Zone::Loopback),
            ("::a9fe:a9fe", Zone::Link),
            ("2002:0a00:0001::1", Zone::Private),
            ("2002:a9fe:a9fe::", Zone::Link),
            ("2002:0808:0808::1", Zone::Public),
            ("127.9.9.9", Zone::Loopback),
            ("169.254.169.254", Zone::Link),
            ("2606:4700::1", Zone::Public),
            ("::1", Zone::Loopback),
            ("::ffff:10.0.0.1", Zone::Private),
            ("64:ff9b::a9fe:a9fe", Zone::Link),
            ("fe80::1", Zone::Link),
            ("fd00::1", Zone::Private),
        ] {
            assert_eq!(Zone::of(address.parse().expect("an address")), zone, "{address}");
        }
    }

    #[test]
    fn a_server_leads_outwards_only() {
        let check = |zone, url: &str| {
            Zoned { zone, insecure_http: false, proxies: Vec::new(), own: None }.check(&Url::parse(url).expect("a URL"))
        };
        assert!(check(Zone::Public, "https://as.example/x").is_ok());
        assert!(check(Zone::Loopback, "http://localhost:9/x").is_ok());
        assert!(check(Zone::Loopback, "http://[::1]:9/x").is_ok());
        assert!(check(Zone::Loopback, "https://10.0.0.1/").is_ok());
        for (zone, url, part) in [
            (Zone::Public, "http://as.example/x", "plain http"),
            (Zone::Public, "https://10.0.0.1/x", "private address"),
            (Zone::Public, "https://localhost/x", "private address"),
            (Zone::Public, "https://2130706433/x", "private address"),
            (Zone::Private, "https://127.0.0.1/x", "private address"),
            (Zone::Loopback, "https://169.254.169.254/x", "private address"),
            (Zone::Public, "file:///etc/passwd", "no web address"),
        ] {
            let why = check(zone, url).expect_err(url);
            assert!(why.contains(part), "{why}");
        }
    }

    #[tokio::test]
    async fn a_server_stands_where_it_is_named() {
        let proxies = ["proxy".to_owned()];
        for (url, proxies, is_direct, zone) in [
            ("http://intranet.invalid/mcp", &proxies[..], false, Zone::Public),
            ("http://localhost/mcp", &proxies[..], false, Zone::Loopback),
            ("http://10.0.0.1/mcp", &[], false, Zone::Private),
            // One that does not resolve.
            ("http://intranet.invalid/mcp", &proxies[..], true, Zone::Public),
        ] {
            let url = Url::parse(url).expect("a URL");
            let zoned = Zoned::of_server(&url, true, proxies, is_direct).await;
            assert_eq!((zoned.zone, zoned.own.as_deref()), (zone, url.host_str()), "{url}");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_not_connected_to() {
        let name: Name = "localhost".parse().expect("a name");
        let of = |zone, proxies| Zoned { zone, insecure_http: false, proxies, own: None };
        let outside = of(Zone::Public, Vec::new());
        let why = outside.resolve(name).await.err().expect("refused").to_string();
        assert!(why.contains("private address"), "{why}");
        let named = Zoned { own: Some("localhost".into()), ..of(Zone::Public, Vec::new()) };
        for own in [of(Zone::Loopback, Vec::new()), of(Zone::Public, vec!["localhost".into()]), named] {
            assert!(own.resolve("localhost".parse().expect("a name")).await.is_ok());
        }
    }
}
