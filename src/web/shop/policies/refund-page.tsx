import { useContext } from 'react';
import { Link } from 'react-router';
import { RETURN_DAYS } from '#contract/market/market.ts';
import { CompanyContext } from '#web/state/store.ts';
import { PolicyFrame } from './policy-frame.tsx';

const SECTIONS = [
  ['window', 'Asking for a refund'],
  ['how', 'How it works'],
  ['money', 'When the money arrives'],
  ['rights', 'Your statutory rights'],
  ['exceptions', 'What you cannot return'],
] as const;

export function Component() {
  const { shop, collectsReturns } = useContext(CompanyContext);
  return (
    <PolicyFrame
      title="Refund policy"
      description={`How to ask ${shop} for a refund, when it arrives, and your rights under UK law.`}
      canonical="/refund-policy"
      sections={SECTIONS}
    >
      <h2 id="window">Asking for a refund</h2>
      <p>
        Please request a refund within 2-3 days of delivery: the sooner you tell us about a damaged or wrong piece, the sooner we can
        collect it. You have longer than that: for {RETURN_DAYS.ask} days from the day of delivery you can return any piece, for any reason.
        Your rights below last longer still.
      </p>
      <h2 id="how">How it works</h2>
      <ol>
        <li>
          Open your order and choose “Return pieces”, or write to us through the details on the <Link to="/contact">contact page</Link>,
          with your order’s number and, for damage, a picture. We reply by the next working day.
        </li>
        <li>
          {collectsReturns
            ? 'We collect what you return from your home, free of charge, on a day that suits you.'
            : `We collect large pieces, those that take two people to carry, from your home, free of charge. Smaller pieces you send to us within ${RETURN_DAYS.send} days of our reply, which says where to. You pay for posting them, unless they are faulty, damaged or not what you ordered: then we do.`}{' '}
          Please keep the packaging if you can.
        </li>
        <li>Once the piece is back with us, or straight away if it arrived damaged, we start the refund.</li>
      </ol>
      <h2 id="money">When the money arrives</h2>
      <p>
        Refunds go back to the card or account you paid from. They take 5-10 business days to arrive, depending on your bank. Cash paid on
        delivery is refunded by bank transfer.
      </p>
      <h2 id="rights">Your statutory rights</h2>
      <p>If you are a consumer in the UK, the law gives you these rights, and nothing on this page limits them:</p>
      <ul>
        <li>
          Under the Consumer Contracts Regulations 2013 you may change your mind about an online order, for any reason, within 14 days of
          the day on which you receive it. You then have 14 days to send it back, and we refund you, with the cost of standard delivery,
          within 14 days of getting it, or proof that you sent it.
        </li>
        <li>
          Under the Consumer Rights Act 2015 goods must be as described, of satisfactory quality and fit for purpose. You may reject faulty
          goods within 30 days for a full refund. After that you may ask for a repair or a replacement, and if that fails for a price
          reduction or a refund.
        </li>
        <li>
          In the first six months a fault is taken to have been there at delivery unless we can show otherwise. Claims are possible for up
          to six years in England, Wales and Northern Ireland, and five in Scotland.
        </li>
      </ul>
      <p>Citizens Advice explains these rights free of charge.</p>
      <h2 id="exceptions">What you cannot return</h2>
      <p>
        The {RETURN_DAYS.ask} days to change your mind do not cover pieces made to your own measurements. Please try furniture as you would
        in a shop: use beyond that may reduce the refund. You can always return faulty goods.
      </p>
    </PolicyFrame>
  );
}
