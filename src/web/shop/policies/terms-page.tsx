import { useContext } from 'react';
import { Link } from 'react-router';
import { CompanyContext } from '#web/state/store.ts';
import { PolicyFrame } from './policy-frame.tsx';

const SECTIONS = [
  ['us', 'Who we are'],
  ['orders', 'Orders and prices'],
  ['payment', 'Payment'],
  ['delivery', 'Delivery and ownership'],
  ['account', 'Your account'],
  ['liability', 'Liability'],
  ['law', 'Law and disputes'],
] as const;

export function Component() {
  const { shop, showroom, vatNumber } = useContext(CompanyContext);
  return (
    <PolicyFrame
      title="Terms of service"
      description={`The terms on which ${shop} sells furniture.`}
      canonical="/legal"
      sections={SECTIONS}
    >
      <h2 id="us">Who we are</h2>
      <p>
        {shop} sells furniture online{showroom && ' and from its showroom'}. Our <Link to="/contact">contact page</Link> says how to reach
        us. These terms apply to every order placed on this site.
      </p>
      <h2 id="orders">Orders and prices</h2>
      <p>
        Prices are in pounds sterling{vatNumber ? ' and include VAT' : '. We are not registered for VAT, so none is charged'}. An order is
        your offer to buy; it is accepted when we confirm it by email. If a price changes while a piece is in your cart, we tell you before
        you order. If we cannot deliver what you ordered, we refund you in full.
      </p>
      <p>
        Our pictures are as accurate as we can make them, but wood and fabric vary a little, and so do screens. Measurements are accurate to
        about a centimetre.
      </p>
      <h2 id="payment">Payment</h2>
      <p>
        You pay by card on the page of our payment provider, or in cash when we deliver. A card payment holds your pieces for half an hour
        while you pay.
      </p>
      <h2 id="delivery">Delivery and ownership</h2>
      <p>
        Delivery times and prices are in the <Link to="/shipping-policy">shipping policy</Link>. The goods are our responsibility until they
        are delivered. They become yours once they are delivered and paid for. To send something back, see the{' '}
        <Link to="/refund-policy">refund policy</Link>.
      </p>
      <h2 id="account">Your account</h2>
      <p>
        Keep your password to yourself and tell us if someone else may know it. We may close accounts that are used to defraud us or others.
      </p>
      <h2 id="liability">Liability</h2>
      <p>
        Nothing here limits our liability for death or injury caused by negligence, for fraud, or for anything that the law does not let us
        limit, nor your statutory rights as a consumer. Beyond that, we are responsible for loss that you and we could both foresee when you
        ordered.
      </p>
      <h2 id="law">Law and disputes</h2>
      <p>
        These terms follow the law of England and Wales. If you live in Scotland or Northern Ireland you may also go to the courts there.
        Please talk to us first: we can solve most problems.
      </p>
    </PolicyFrame>
  );
}
